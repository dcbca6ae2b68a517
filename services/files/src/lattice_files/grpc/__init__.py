"""The edge: servicers translate, call a use case, translate."""
