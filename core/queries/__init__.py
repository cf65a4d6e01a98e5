"""Pure questions about a state: conditions, strengths, limits, modifiers, lookups, and the cache of such reads."""
