"""Who calls, by bearer tokens (JWT): verified by their issuers' published keys, and signed for calls of peers.

A token is believed for what its issuer may say, and no further: a person's issuer cannot speak for an
agent, nor agent's own for a person [SE-01, SE-08, MP-32]. What was sent is never logged, traced or told.
"""

from lattice_chassis.settings import AuthSettings, CredentialSettings, Issuer
from lattice_chassis.tokens.authenticator import TokenAuthenticator, authenticator_of
from lattice_chassis.tokens.claims import claims_of, identity_of
from lattice_chassis.tokens.signer import TokenSigner, identity_source_of, signed_identity, signer_of

__all__ = [
    "AuthSettings",
    "CredentialSettings",
    "Issuer",
    "TokenAuthenticator",
    "TokenSigner",
    "authenticator_of",
    "claims_of",
    "identity_of",
    "identity_source_of",
    "signed_identity",
    "signer_of",
]
