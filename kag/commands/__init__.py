"""The commands of `kag`, a module a story; `kag.cli` attaches them."""
