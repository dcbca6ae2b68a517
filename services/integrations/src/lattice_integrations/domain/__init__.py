"""What an integration and its switch are, and the rules of switching; pure, without I/O."""
