/** How long and how much one client may take. Times are in milliseconds; tests shorten them, nothing else. */
export const defaultLimits = {
  /** A TLS handshake, a head, or the first stream of an HTTP/2 session must be there by then. */
  headers: 10_000,
  /** A body or an unread response may stand still for this long … */
  stall: 15_000,
  /** … and must make `perSecond` bytes on average over this long. */
  window: 30_000,
  perSecond: 1024,
  /** A body that is no upload of a file must be there by then, however steadily it comes. */
  body: 60_000,
  /** An open connection without a request is kept for this long. */
  idle: 72_000,
  /** How often one timer looks at everything that is under way. */
  look: 1000,
  /** What is read, and thrown away, of a body after its request was answered. */
  rest: 20_000_000,
  /** More at once only makes everybody wait; the database has 40 connections for all processes. */
  inFlight: 400,
  /** Nine of ten turns of the event loop may take so long; an overload is when two half seconds are worse. */
  delay: 250,
  /** Requests whose body is still on its way cost a connection and a buffer, so there may be more of them. */
  arriving: 2000,
  /** Files that are being read cost a connection and a buffer each. */
  sending: 2000,
  /** Answers that never end, in a process and by one token. */
  streams: 500,
  streamsPerToken: 20,
  /** One of those says at least something every so often … */
  heartbeat: 10_000,
  /** … and is cut when none of it is read for this long. */
  unread: 30_000,
}

export type Limits = typeof defaultLimits
