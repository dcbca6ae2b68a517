// Plays a scenario, such as examples/clients/scenario.json, and prints what happened, a line for each thing.
//
// Where Lattice is, is told by the environment: LATTICE_FILES and LATTICE_INTEGRATIONS name addresses, LATTICE_TLS the
// folder of the certificates, LATTICE_WORKSPACE the workspace, and LATTICE_TOKEN_ALICE and so on hold a token each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	files "lattice.dev/protos/lattice/files/v1"
	integrations "lattice.dev/protos/lattice/integrations/v1"
)

var workspace = os.Getenv("LATTICE_WORKSPACE")

// step is one thing that somebody does.
type step struct {
	Do, By, For, Document, File, Summary, Command, Request, Integration, Reason string

	BaseVersion int64 `json:"base_version"`
	Arguments   json.RawMessage
	On          bool
	Until       int64
	Tells       []string
}

// person is somebody with a token, and what they hold.
type person struct {
	nativeFiles   files.NativeFilesServiceClient
	integrations  integrations.IntegrationsServiceClient
	watch         *watch
	seen          int64
	checkOutToken int64
}

func newPerson(name string) *person {
	token, folder := os.Getenv("LATTICE_TOKEN_"+strings.ToUpper(name)), os.Getenv("LATTICE_TLS")
	toFiles, err := connect(os.Getenv("LATTICE_FILES"), token, folder)
	if err != nil {
		log.Fatal(err)
	}
	toIntegrations, err := connect(os.Getenv("LATTICE_INTEGRATIONS"), token, folder)
	if err != nil {
		log.Fatal(err)
	}
	return &person{
		nativeFiles:  files.NewNativeFilesServiceClient(toFiles),
		integrations: integrations.NewIntegrationsServiceClient(toIntegrations),
		watch:        &watch{client: files.NewChangesServiceClient(toFiles), workspace: workspace},
	}
}

// scenario is what is played, with the ids that were chosen and given.
type scenario struct {
	folder    string
	people    map[string]*person
	artifacts map[string]string
	requests  map[string]string
}

func main() {
	content, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var read struct{ Steps []step }
	if err := json.Unmarshal(content, &read); err != nil {
		log.Fatal(err)
	}
	played := &scenario{
		folder:    filepath.Dir(os.Args[1]),
		people:    map[string]*person{},
		artifacts: map[string]string{},
		requests:  map[string]string{},
	}
	input := bufio.NewReader(os.Stdin)
	for _, it := range read.Steps {
		if it.Do == "wait" {
			fmt.Printf("-- %s\n", it.For)
			_, _ = input.ReadString('\n')
			continue
		}
		if played.people[it.By] == nil {
			played.people[it.By] = newPerson(it.By)
		}
		if err := played.take(it); err != nil {
			tell(it, refused(it, err))
		}
	}
}

// take does one step and tells what became of it.
func (s *scenario) take(it step) error {
	if it.Do == "watch" {
		return s.readOn(it)
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	does := map[string]func(context.Context, step, *person) (string, error){
		"upload":           s.upload,
		"check_out":        s.checkOut,
		"cancel_check_out": s.cancelCheckOut,
		"check_in":         s.checkIn,
		"edit":             s.edit,
		"switch":           s.turn,
	}
	told, err := does[it.Do](ctx, it, s.people[it.By])
	if err == nil {
		tell(it, told)
	}
	return err
}

func (s *scenario) upload(ctx context.Context, it step, by *person) (string, error) {
	content, err := os.ReadFile(filepath.Join(s.folder, it.File))
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := upload(ctx, by.nativeFiles, workspace, filepath.Base(it.File), content, newID())
	s.artifacts[it.Document] = outcome.GetApplied().GetArtifactId()
	return told(outcome), err
}

func (s *scenario) checkOut(ctx context.Context, it step, by *person) (string, error) {
	answer, err := by.nativeFiles.CheckOut(ctx, &files.CheckOutRequest{Name: s.nameOf(it), RequestId: newID()})
	if err != nil {
		return "", err
	}
	by.checkOutToken = answer.GetCheckOut().GetToken()
	return fmt.Sprintf("version %d", answer.GetCheckOut().GetBaseVersion()), nil
}

func (s *scenario) cancelCheckOut(ctx context.Context, it step, by *person) (string, error) {
	request := &files.ReleaseCheckOutRequest{Name: s.nameOf(it), Token: by.checkOutToken}
	answer, err := by.nativeFiles.ReleaseCheckOut(ctx, request)
	if answer.GetReleased() {
		return "done", err
	}
	return "nothing", err
}

func (s *scenario) checkIn(ctx context.Context, it step, by *person) (string, error) {
	content, err := os.ReadFile(filepath.Join(s.folder, it.File))
	if err != nil {
		log.Fatal(err)
	}
	header := &files.CheckInHeader{
		Name: s.nameOf(it), Token: by.checkOutToken, Summary: it.Summary, RequestId: newID(),
	}
	outcome, err := checkIn(ctx, by.nativeFiles, header, content)
	return told(outcome), err
}

func (s *scenario) edit(ctx context.Context, it step, by *person) (string, error) {
	if s.requests[it.Request] == "" {
		s.requests[it.Request] = newID()
	}
	// region edit
	answer, err := by.nativeFiles.Edit(ctx, &files.EditRequest{
		Name:        s.nameOf(it),
		BaseVersion: it.BaseVersion,
		Commands:    []*files.AppCommand{{Command: it.Command, ArgumentsJson: string(it.Arguments)}},
		Summary:     it.Summary,
		// Chosen once for what is meant to happen once: whoever asks again, gRPC or you, asks with the same id.
		Context: &files.WriteContext{RequestId: s.requests[it.Request]},
	})
	// endregion
	return told(answer.GetOutcome()), err
}

func (s *scenario) turn(ctx context.Context, it step, by *person) (string, error) {
	check := &integrations.CheckEnabledRequest{Workspace: workspace, Key: it.Integration}
	now, err := by.integrations.CheckEnabled(ctx, check)
	if err != nil {
		return "", err
	}
	revision := now.GetRevision()
	answer, err := by.integrations.SetEnabled(ctx, &integrations.SetEnabledRequest{
		Workspace:        workspace,
		Key:              it.Integration,
		Enabled:          &it.On,
		ExpectedRevision: &revision,
		Reason:           it.Reason,
		RequestId:        newID(),
	})
	state := map[bool]string{true: "on", false: "off"}[answer.GetSwitch().GetEnabled()]
	return fmt.Sprintf("%s is %s", it.Integration, state), err
}

// readOn reads the changes until the one that the step names.
func (s *scenario) readOn(it step) error {
	by := s.people[it.By]
	cuts := by.watch.cuts
	for by.seen < it.Until {
		change, err := by.watch.next(context.Background())
		if err != nil {
			return err
		}
		if by.watch.cuts > cuts {
			tell(it, fmt.Sprintf("was cut off, goes on after change %d", by.seen))
			cuts = by.watch.cuts
		}
		by.seen = change.GetChangeSequence()
		tell(it, s.toldOf(change))
	}
	return nil
}

// toldOf puts a change in words, with the documents' names in this scenario.
func (s *scenario) toldOf(change *files.Change) string {
	what, id, version := "", "", int64(0)
	switch event := change.GetEvent().(type) {
	case *files.Change_ArtifactCreated:
		what, id, version = "artifact created", event.ArtifactCreated.GetArtifactId(), event.ArtifactCreated.GetVersion()
	case *files.Change_ArtifactChanged:
		what, id, version = "artifact changed", event.ArtifactChanged.GetArtifactId(), event.ArtifactChanged.GetVersion()
	}
	for name, artifact := range s.artifacts {
		if artifact == id {
			id = name
		}
	}
	return fmt.Sprintf("change %d, %s, %s version %d by %s",
		change.GetChangeSequence(), what, id, version, change.GetActor().GetUser().GetId())
}

func (s *scenario) nameOf(it step) string {
	return workspace + "/artifacts/" + s.artifacts[it.Document]
}

// told puts an outcome in words.
func told(outcome *files.Outcome) string {
	return fmt.Sprintf("version %d, change %d", outcome.GetApplied().GetVersion(), outcome.GetChangeSequence())
}

// refused puts a refusal in words.
func refused(it step, err error) string {
	refusal := refusalOf(err)
	if refusal == nil {
		log.Fatal(err)
	}
	text := "refused, " + refusal.GetReason()
	for _, key := range it.Tells {
		text += fmt.Sprintf(", %s %s", key, refusal.GetMetadata()[key])
	}
	return text
}

func tell(it step, line string) {
	fmt.Printf("%s: %s: %s\n", it.By, strings.ReplaceAll(it.Do, "_", " "), line)
}
