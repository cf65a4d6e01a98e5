"""Tests of netcode/club: hosts with their journals in one PostgreSQL database."""
