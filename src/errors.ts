/** One bad field. `path` is written the way the caller sent it: `name`, `streams.0.url`, `status.0.eq`. */
export type FieldError = { path: string; message: string }

/** What the interface can answer when it does not do what was asked. Only `http/errors.ts` knows status codes. */
export class Failure extends Error {
  override name: string = 'Failure'
  readonly type: string | undefined
  readonly errors: FieldError[] | undefined

  constructor(message: string, options: { type?: string; errors?: FieldError[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.type = options.type
    this.errors = options.errors
  }
}

const described = (errors: FieldError[]): string =>
  errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')

/** More faults than these help nobody: an answer must not be many times as long as the request. */
const maxErrors = 100

export class Invalid extends Failure {
  override name = 'Invalid'
  constructor(all: FieldError[]) {
    const errors = all.slice(0, maxErrors)
    super(described(errors), { type: 'ValidationFailed', errors })
  }
}

export class Unauthorized extends Failure {
  override name = 'Unauthorized'
  /** What is wrong: there is no token, the token is not valid, or what proves an account does not. */
  constructor(reason: 'missing' | 'invalid' | 'credentials', type?: string) {
    super(reason, type === undefined ? {} : { type })
  }
}

export class Forbidden extends Failure {
  override name = 'Forbidden'
}

export class InsufficientScope extends Failure {
  override name = 'InsufficientScope'
  readonly scopes: readonly string[]
  constructor(scopes: readonly string[]) {
    super(`needs the scopes ${scopes.join(', ')}`, { type: 'InsufficientScope' })
    this.scopes = scopes
  }
}

export class NotFound extends Failure {
  override name = 'NotFound'
  constructor(label: string, id: string) {
    super(`${label} ${id}`)
  }
}

export class Conflict extends Failure {
  override name = 'Conflict'
  constructor(errors: FieldError[], type = 'Conflict') {
    super(described(errors), { type, errors })
  }
}

export class PreconditionFailed extends Failure {
  override name = 'PreconditionFailed'
}

/** The specification calls this a time-out. */
export class AssetTooLarge extends Failure {
  override name = 'AssetTooLarge'
  constructor(path: string, most: number) {
    super(`${path} is over ${most} bytes`, {
      type: 'AssetTooLarge',
      errors: [{ path, message: `must be at most ${most} bytes` }],
    })
  }
}

export class TooManyRequests extends Failure {
  override name = 'TooManyRequests'
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super(`retry after ${retryAfter} s`)
    this.retryAfter = retryAfter
  }
}

export class Unavailable extends Failure {
  override name = 'Unavailable'
  readonly retryAfter: number
  constructor(message: string, retryAfter = 1) {
    super(message)
    this.retryAfter = retryAfter
  }
}

export const invalid = (path: string, message: string): Invalid => new Invalid([{ path, message }])
export const conflict = (path: string, message: string, type?: string): Conflict =>
  new Conflict([{ path, message }], type)

/** What a check finds wrong; the faults of several can so be told together. */
export const faultsOf = (check: () => unknown): FieldError[] => {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof Invalid) return error.errors ?? []
    throw error
  }
}
