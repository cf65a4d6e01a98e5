"""A face for every card: drawings, palettes, which card gets which, and their pixels as terminal cells."""
