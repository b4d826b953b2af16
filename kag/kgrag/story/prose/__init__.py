"""Stories in prose: who and what is named, who speaks, and what happens, by rules over words."""
