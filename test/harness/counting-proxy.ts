import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Cost = { trips: number; statements: number }

/** Messages of PostgreSQL's protocol: a letter and a length. The first of a client has no letter. */
const messages = (begun: boolean, seen: (letter: string) => void) => {
  let rest = Buffer.alloc(0)
  let started = begun
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      if (started) seen(String.fromCharCode(rest[0]!))
      started = true
      rest = rest.subarray(length)
    }
  }
}

/**
 * Stands between a service and its database and counts: statements, and how often somebody had to wait for an answer
 * before the next could be sent, whichever connections they took.
 */
export const countingProxy = async (url: string) => {
  const { hostname, port: databasePort, pathname, username, password } = new URL(url)
  const folder = decodeURIComponent(hostname)
  const cost: Cost = { trips: 0, statements: 0 }
  const sockets = new Set<Socket>()
  let waiting = 0
  const server = createServer((client) => {
    const database = folder.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${databasePort}`)
      : connect(Number(databasePort), hostname)
    let ready = false
    const asked = messages(false, (letter) => {
      if (letter === 'E' || letter === 'Q') cost.statements += 1
      if ((letter !== 'S' && letter !== 'Q') || !ready) return
      if (waiting === 0) cost.trips += 1
      waiting += 1
    })
    const answered = messages(true, (letter) => {
      if (letter !== 'Z') return
      if (ready) waiting -= 1
      ready = true
    })
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      asked(chunk)
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      answered(chunk)
      client.write(chunk)
    })
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async during(work: () => Promise<unknown>): Promise<Cost> {
      const before = { ...cost }
      await work()
      return { trips: cost.trips - before.trips, statements: cost.statements - before.statements }
    },
    close(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
