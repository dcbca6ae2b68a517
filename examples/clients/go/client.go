// What a client of Lattice needs in Go: the connection, refusals, and a watch that goes on where it was cut.

package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/health" // the service config has clients heed the health of each replica
	"google.golang.org/grpc/status"
	"lattice.dev/protos/lattice"
	files "lattice.dev/protos/lattice/files/v1"
	names "lattice.dev/protos/lattice/type/v1"
)

const chunk = 64 * 1024

// deadline is for one call, its repeats included.
const deadline = 60 * time.Second

// region connect

// bearer sends a token with every call.
type bearer string

func (token bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(token)}, nil
}

func (bearer) RequireTransportSecurity() bool { return true }

// connect opens a connection whose calls carry the token; what may be repeated is, while a service is away.
func connect(address, token, folder string) (*grpc.ClientConn, error) {
	authority, err := os.ReadFile(filepath.Join(folder, "ca.pem"))
	if err != nil {
		return nil, err
	}
	believed := x509.NewCertPool()
	believed.AppendCertsFromPEM(authority)
	// Where the deployment asks clients for a certificate.
	shown, err := tls.LoadX509KeyPair(filepath.Join(folder, "certificate.pem"), filepath.Join(folder, "key.pem"))
	if err != nil {
		return nil, err
	}
	transport := credentials.NewTLS(&tls.Config{RootCAs: believed, Certificates: []tls.Certificate{shown}})
	return grpc.NewClient(address,
		grpc.WithTransportCredentials(transport),
		grpc.WithPerRPCCredentials(bearer(token)),
		grpc.WithDefaultServiceConfig(lattice.ServiceConfig),
	)
}

// endregion

// region upload

// upload makes a new artifact of a file; whoever does not know how it ended calls again with the same requestID.
func upload(
	ctx context.Context, client files.NativeFilesServiceClient, workspace, name string, content []byte, requestID string,
) (*files.Outcome, error) {
	digest := sha256.Sum256(content)
	stream, err := client.UploadFile(ctx)
	if err != nil {
		return nil, err
	}
	header := &files.UploadHeader{
		Workspace: workspace,
		FileName:  name,
		Size:      int64(len(content)),
		Sha256:    digest[:],
		Context:   &files.WriteContext{RequestId: requestID},
	}
	// A stream that was refused answers io.EOF here; why, is told by CloseAndRecv.
	_ = stream.Send(&files.UploadFileRequest{Part: &files.UploadFileRequest_Header{Header: header}})
	for start := 0; start < len(content); start += chunk {
		piece := content[start:min(start+chunk, len(content))]
		_ = stream.Send(&files.UploadFileRequest{Part: &files.UploadFileRequest_Chunk{Chunk: piece}})
	}
	answer, err := stream.CloseAndRecv()
	return answer.GetOutcome(), err
}

// endregion

// checkIn makes a file the next version; its header needs neither size nor digest.
func checkIn(
	ctx context.Context, client files.NativeFilesServiceClient, header *files.CheckInHeader, content []byte,
) (*files.Outcome, error) {
	digest := sha256.Sum256(content)
	header.Size, header.Sha256 = int64(len(content)), digest[:]
	stream, err := client.CheckIn(ctx)
	if err != nil {
		return nil, err
	}
	_ = stream.Send(&files.CheckInRequest{Part: &files.CheckInRequest_Header{Header: header}})
	for start := 0; start < len(content); start += chunk {
		piece := content[start:min(start+chunk, len(content))]
		_ = stream.Send(&files.CheckInRequest{Part: &files.CheckInRequest_Chunk{Chunk: piece}})
	}
	answer, err := stream.CloseAndRecv()
	return answer.GetOutcome(), err
}

// region error

// refusalOf answers why a call was refused: Reason is a value of lattice.type.v1.ErrorReason without its prefix,
// Metadata holds its values. It is nil where no service answered.
func refusalOf(err error) *errdetails.ErrorInfo {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == "lattice" {
			return info
		}
	}
	return nil
}

// endregion

// region watch

// watch tells of the changes of a workspace, each exactly once, over connections that are cut.
type watch struct {
	client    files.ChangesServiceClient
	workspace string
	cursor    *names.Cursor // up to where next has told of everything; keep it with what you made of that
	cuts      int           // how often it began anew
	stream    grpc.ServerStreamingClient[files.WatchChangesResponse]
	waiting   []*files.Change
	reached   *names.Cursor // the end of what waits
	pause     time.Duration
}

// next waits for a change.
func (w *watch) next(ctx context.Context) (*files.Change, error) {
	for len(w.waiting) == 0 {
		message, err := w.receive(ctx)
		if err == nil {
			w.pause = 0
			for _, commit := range message.GetCommits() {
				w.waiting = append(w.waiting, commit.GetChanges()...)
			}
			w.reached = message.GetCursor()
			w.toldAll()
			continue
		}
		if status.Code(err) != codes.Unavailable && refusalOf(err).GetReason() != "SLOW_CONSUMER" {
			return nil, err
		}
		w.stream = nil
		w.cuts++
		w.pause = min(max(2*w.pause, 100*time.Millisecond), 5*time.Second)
		time.Sleep(w.pause)
	}
	change := w.waiting[0]
	w.waiting = w.waiting[1:]
	w.toldAll()
	return change, nil
}

// toldAll moves the cursor on where nothing waits.
func (w *watch) toldAll() {
	if len(w.waiting) == 0 {
		w.cursor = w.reached
	}
}

func (w *watch) receive(ctx context.Context) (*files.WatchChangesResponse, error) {
	if w.stream == nil {
		request := &files.WatchChangesRequest{Workspace: w.workspace, Cursor: w.cursor}
		stream, err := w.client.WatchChanges(ctx, request)
		if err != nil {
			return nil, err
		}
		w.stream = stream
	}
	return w.stream.Recv()
}

// endregion

// newID makes a UUID of version 4.
func newID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
