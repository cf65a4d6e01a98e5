"""What a seat may do: validation, listing, targets, timing, bargains, and the answers given for a silent seat."""
