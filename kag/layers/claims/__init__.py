"""What a paper claims: sentences with their role, what is denied or doubted in them, what they are about."""

from kag.layers.claims.find import find_claims
from kag.layers.claims.intent import Intent, citation_intent
from kag.layers.claims.scopes import find_scopes

__all__ = ["Intent", "citation_intent", "find_claims", "find_scopes"]
