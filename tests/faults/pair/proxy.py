"""A way between two processes that can be cut one way or both ways, slowed down, or spoilt."""
import asyncio
import contextlib
import threading


class Proxy:
    """Passes on what comes to its port. What lose() names stands still ("to", "from" the target): what was sent meanwhile comes late, as
    TCP brings it after a cut. `late_s`: so much later comes whatever the target answers. `flip`: one bit of the next
    answer is changed."""

    loop, may_be_slow = None, True

    def __init__(self, target):
        self.target, self.lost, self.late_s, self.flip, self.host = target, set(), 0, False, "127.0.0.1"
        if Proxy.loop is None:
            Proxy.loop = asyncio.new_event_loop()
            threading.Thread(target=Proxy.loop.run_forever, daemon=True).start()
        self.links = set()
        self.server = self.on_loop(asyncio.start_server(self.join, self.host, 0))
        self.port = self.server.sockets[0].getsockname()[1]

    def lose(self, directions):
        self.lost = set(directions)

    @staticmethod
    def on_loop(work):
        return asyncio.run_coroutine_threadsafe(work, Proxy.loop).result(30)

    async def join(self, from_client, to_client):
        try:
            from_target, to_target = await asyncio.open_connection(self.host, self.target)
        except OSError:
            to_client.close()
            return
        self.links |= {to_client, to_target}
        # Whoever ends, ends both.
        done = [asyncio.ensure_future(self.pass_on(*way)) for way in ((from_client, to_target, "to"), (from_target, to_client, "from"))]
        await asyncio.wait(done, return_when=asyncio.FIRST_COMPLETED)
        for way in done:
            way.cancel()
        for writer in (to_client, to_target):
            self.links.discard(writer)
            writer.close()

    async def pass_on(self, reader, writer, way):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                while way in self.lost:
                    await asyncio.sleep(0.02)
                if way == "from":
                    await asyncio.sleep(self.late_s)
                    if self.flip:
                        self.flip = False
                        changed = bytearray(data)
                        changed[len(changed) // 2] ^= 4
                        data = bytes(changed)
                writer.write(data)
                await writer.drain()

    def end(self):
        self.on_loop(self.close())

    async def close(self):
        self.server.close()
        for writer in self.links:
            writer.transport.abort()
