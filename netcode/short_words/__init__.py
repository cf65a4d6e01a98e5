"""Short words: three words that can be said on the telephone, and the exchange that turns them into a join string.

`word_list.py` makes and reads words, `exchange.py` is the password-authenticated key exchange (SPAKE2, the library
`spake2`), `process.py` the host's process that owns it, `frames.py` the bytes on the line. The client's side is
`netcode/client/short_words.py`; the front hands connections over (`netcode/front/words_line.py`), the host says what
they lead to (`netcode/host/words_service.py`).
"""
