"""The edge: servicers translate, call artifactr, translate."""
