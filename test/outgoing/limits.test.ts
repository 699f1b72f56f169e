import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { client, reasonOf, serve, serveBytes } from './servers.ts'

const http = (head: string) => `HTTP/1.1 200 OK\r\n${head}\r\n\r\n`

/** Writes until the other side has had enough. */
const flood = (socket: Socket, chunk: Buffer | string) => {
  let open = true
  socket.on('close', () => {
    open = false
  })
  const more = () => {
    while (open && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

const trickle = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 50)
  socket.on('close', () => clearInterval(timer))
}

const asked = async (t: TestContext, answer: (socket: Socket) => void) => {
  const server = await serveBytes(t, (socket) => socket.once('data', () => answer(socket)))
  return { ...server, ...client(t, ['127.0.0.1']) }
}

const untilClosed = async (sockets: Set<unknown>) => {
  for (const end = Date.now() + 5000; sockets.size > 0 && Date.now() < end; ) await wait(5)
  assert.equal(sockets.size, 0)
}

/** 1,000 MB in 1 MB when repeated, and 50 MB in 77 bytes. */
const bombs = {
  gzip: gzipSync(Buffer.alloc(10_000_000)),
  br: brotliCompressSync(Buffer.alloc(50_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
}

describe('limits of an outgoing request', { concurrency: true }, () => {
  test('a body beyond the limit is not read further', async (t) => {
    const { request, url, sockets } = await asked(t, (socket) => {
      socket.write(http('connection: close'))
      flood(socket, Buffer.alloc(65536, 'x'))
    })
    const answer = await request(url, { maxBytes: 100_000 })
    assert.equal(await reasonOf(answer.bytes()), 'too-large')
    assert.equal((await (await request(url, { maxBytes: 1000 })).excerpt()).toString(), 'x'.repeat(1000))
    const stream = (await request(url, { maxBytes: 100_000 })).stream()
    let read = 0
    await assert.rejects(
      async () => {
        for await (const chunk of stream) read += chunk.length
      },
      { reason: 'too-large' },
    )
    assert.equal(read, 100_000)
    await untilClosed(sockets)
  })

  for (const [encoding, bomb] of Object.entries(bombs))
    test(`a bomb of ${encoding} stops at the limit`, async (t) => {
      const { request, url, sockets } = await asked(t, (socket) => {
        socket.write(http(`connection: close\r\ncontent-encoding: ${encoding}`))
        for (let n = 0; n < 100; n++) socket.write(bomb)
        socket.end()
      })
      const before = process.memoryUsage().rss
      const answer = await request(url, { maxBytes: 5_000_000 })
      assert.equal(await reasonOf(answer.bytes()), 'too-large')
      assert.ok(process.memoryUsage().rss - before < 400_000_000)
      await untilClosed(sockets)
    })

  test('compressed bytes that never give a byte stop at the limit', async (t) => {
    const { request, url, sockets } = await asked(t, (socket) => {
      socket.write(http('connection: close\r\ncontent-encoding: gzip'))
      // A member that says nothing, over and over.
      flood(socket, Buffer.concat(Array(1000).fill(gzipSync(''))))
    })
    assert.equal(await reasonOf((await request(url)).bytes()), 'too-large')
    await untilClosed(sockets)
  })

  test('what cannot be decompressed or parsed is a bad answer', async (t) => {
    const { request, url } = await asked(t, (socket) =>
      socket.end(`${http('connection: close\r\ncontent-encoding: gzip')}not at all`),
    )
    assert.equal(await reasonOf((await request(url)).bytes()), 'bad-answer')
    const brotli = await asked(t, (socket) =>
      socket.end(`${http('connection: close\r\ncontent-encoding: br')}not at all`),
    )
    assert.equal(await reasonOf((await brotli.request(brotli.url)).bytes()), 'bad-answer')
    const nonsense = await asked(t, (socket) => socket.end('SMTP at your service\r\n\r\n'))
    assert.equal(await reasonOf(nonsense.request(nonsense.url)), 'bad-answer')
  })

  test('a head beyond the limit is refused', async (t) => {
    const { request, url } = await asked(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      flood(socket, `x-filler: ${'x'.repeat(1000)}\r\n`)
    })
    assert.equal(await reasonOf(request(url)), 'too-large')
  })

  test('a server that accepts and says nothing ends at the time limit', async (t) => {
    const { request, url, sockets } = await asked(t, () => {})
    const began = performance.now()
    assert.equal(await reasonOf(request(url, { timeout: 300 })), 'timeout')
    assert.ok(performance.now() - began < 5000)
    await untilClosed(sockets)
  })

  for (const [part, head] of [
    ['head', 'HTTP/1.1 200 OK\r\nx: '],
    ['body', http('content-length: 1000')],
    ['compressed body', `${http('content-encoding: gzip')}\x1f\x8b\x08\x08\0\0\0\0\0\0`],
  ] as const)
    test(`a ${part} that comes byte by byte ends at the time limit`, async (t) => {
      const { request, url, sockets } = await asked(t, (socket) => {
        socket.write(head, 'latin1')
        trickle(socket, 'x')
      })
      const began = performance.now()
      const reading = request(url, { timeout: 400 }).then((answer) => answer.bytes())
      assert.equal(await reasonOf(reading), 'timeout')
      assert.ok(performance.now() - began < 5000)
      await untilClosed(sockets)
    })

  test('the time limit is that of all redirects together', async (t) => {
    const server = await serve(t, async (_, response) => {
      await wait(150)
      response.writeHead(302, { location: '/again' }).end()
    })
    const { request } = client(t, ['127.0.0.1'])
    assert.equal(await reasonOf(request(server.url, { timeout: 400, redirects: 'follow' })), 'timeout')
  })

  test('a body that nobody reads is given up at the time limit', async (t) => {
    const { request, url, sockets } = await asked(t, (socket) => {
      socket.write(http('content-length: 1000'))
      trickle(socket, 'x')
    })
    const answer = await request(url, { timeout: 2500 })
    assert.equal(sockets.size, 1)
    await untilClosed(sockets)
    assert.equal(await reasonOf(answer.bytes()), 'timeout')
  })

  test('a stream that its reader leaves lets go of the connection at once', async (t) => {
    const { request, url, sockets } = await asked(t, (socket) => socket.write(http('content-length: 1000')))
    ;(await request(url)).stream().destroy()
    await untilClosed(sockets)
    const stream = (await request(url)).stream()
    stream.read()
    stream.destroy()
    await untilClosed(sockets)
  })

  test('a body is read once', async (t) => {
    const { url } = await serve(t, (_, response) => response.end('words'))
    const { request } = client(t, ['127.0.0.1'])
    const answer = await request(url)
    assert.equal((await answer.bytes()).toString(), 'words')
    await assert.rejects(answer.bytes(), TypeError)
  })

  test('a request that its caller gives up ends with the caller’s reason, before and during the body', async (t) => {
    const { request, url, sockets } = await asked(t, (socket) => trickle(socket, ''))
    const early = new AbortController()
    const waiting = request(url, { signal: early.signal })
    early.abort(new Error('enough'))
    await assert.rejects(waiting, /enough/)
    await assert.rejects(request(url, { signal: early.signal }), /enough/)
    await untilClosed(sockets)
    const slow = await asked(t, (socket) => socket.write(http('content-length: 1000')))
    const late = new AbortController()
    const reading = (await slow.request(slow.url, { signal: late.signal })).bytes()
    late.abort(new Error('enough'))
    await assert.rejects(reading, /enough/)
    await untilClosed(slow.sockets)
  })

  test('a secure connection that is never made ends after five seconds', async (t) => {
    const { port } = await serveBytes(t, () => {})
    const { request } = client(t, ['127.0.0.1'])
    const began = performance.now()
    assert.equal(await reasonOf(request(`https://127.0.0.1:${port}/`)), 'timeout')
    const took = performance.now() - began
    assert.ok(took > 4500 && took < 9000, `${took}`)
  })

  test('a connection that is refused or broken is told as such', async (t) => {
    const { request } = client(t, ['127.0.0.1'])
    assert.equal(await reasonOf(request('http://127.0.0.1:1/')), 'connection')
    const broken = await asked(t, (socket) => socket.end(`${http('content-length: 10')}half`))
    assert.equal(await reasonOf((await broken.request(broken.url)).bytes()), 'connection')
  })

  test('compressed bodies within the limit are read', async (t) => {
    const bodies = { gzip: gzipSync('words'), br: brotliCompressSync('words'), deflate: deflateSync('words') }
    for (const [encoding, body] of Object.entries(bodies)) {
      const { url } = await serve(t, (_, response) =>
        response.setHeader('content-encoding', encoding.toUpperCase()).end(body),
      )
      const { request } = client(t, ['127.0.0.1'])
      assert.equal((await (await request(url)).bytes()).toString(), 'words')
      assert.equal((await (await request(url, { method: 'HEAD' })).bytes()).length, 0)
    }
  })
})
