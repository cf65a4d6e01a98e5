"""The front: a process between the clients and the host's ROUTER that withstands what ZeroMQ cannot.

It relays whole frames and sees ciphertext only. It limits what each connection sends, and it ends every connection to
the host in order. It imports none of our other packages except rates and the bytes of short
words, so that it stays small.
"""
