"""Running an unchanged program with the package in place: `torchada run`."""
