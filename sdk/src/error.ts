export type Fault = { path: string; message: string }

type ErrorBody = {
  message?: string
  type?: string
  errors?: Fault[]
  dbtrace?: string
  error_description?: string
}

/** What the service answered instead: its status, its kind and everything that was wrong. Status 0: no answer came. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly type: string | undefined
  readonly errors: Fault[]
  readonly trace: string | undefined
  /** Seconds after which another attempt makes sense, where the service says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: ErrorBody = {}, retryAfter?: string | null) {
    super(body.message ?? body.error_description ?? `HTTP ${status}`)
    this.status = status
    this.type = body.type
    this.errors = body.errors ?? []
    this.trace = body.dbtrace
    this.retryAfter = retryAfter ? Number(retryAfter) : undefined
  }
}
