"""Commands that offer papers to browsers, programs and agents."""
