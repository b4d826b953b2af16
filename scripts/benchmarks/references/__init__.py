"""How well printed references and call-outs are read, against texts that people labelled."""
