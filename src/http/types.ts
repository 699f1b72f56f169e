import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { ListRequest, ListSpec } from '../database/page.ts'
import type { Family } from '../database/versions.ts'
import type { FieldError } from '../errors.ts'
import type { Actor } from '../features/access/authenticate.ts'
import type { Scope } from '../features/access/scopes.ts'
import type { UploadedFile } from '../storage/uploaded.ts'
import type { Keeping } from './cache.ts'
import type { Selection } from './fields.ts'
import type { Files } from './files.ts'
import type { Limits } from './limits.ts'
import type { Progress } from './progress.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What a feature registers its routes with. */
export type Routes = (app: App, context: Context) => void

/** What a list takes besides its filters and sorts. */
export type ListOptions = ListSpec & {
  defaultLimit?: number
  maxLimit?: number
  /** What is wrong with a request, where the list is made per request and its filters alone do not tell. */
  faults?(request: ListRequest, actor: Actor): FieldError[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All are needed. `[]`: any token of the environment. */
    scopes?: readonly Scope[]
    /** Taken from a personal token, too: it then acts for its own person and reaches no other. */
    personal?: true
    /** No token is needed. */
    access?: 'public'
    /** An organisation token need not say which environment it means. */
    environment?: 'optional' | undefined
    /** Turns the query into `request.list`. */
    list?: ListOptions
    /** Names that `fields` may hold, besides those of the record itself. */
    expansions?: object
    record?: TSchema
    /** Faults to be told beside those that the body's schema finds. */
    alsoWrong?:
      | ((actor: Actor, body: object, id: string | undefined, found: FieldError[]) => Promise<FieldError[]>)
      | undefined
    /** Parts of a form that may be files. */
    files?: Files | undefined
    /** The day, such as 2026-11-01, since which a route with `schema.deprecated` should not be used. */
    deprecatedSince?: string
    /** What answers to GET rest on; they are kept until that changes, so all else they rest on must be told (`restOn`). */
    cached?: readonly Family[] | undefined
    /** The answer is a file, which takes as long as its reader does; it keeps nobody else from being served. */
    sends?: 'file'
    /** The answer goes on until somebody ends it, and watches its reader itself. */
    live?: true
  }
  interface FastifyInstance {
    limits: Limits
    /** Watches bodies and responses that are under way. */
    progress: Progress
  }
  interface FastifyRequest {
    actor: Actor
    list: ListRequest
    selection: Selection
    isForm: boolean
    /** What was stored of this request's body. */
    files: UploadedFile[] | undefined
    /** `access_token`, which is no part of what the query asks for. */
    queryToken: unknown
    /** What it is counted among; nothing once it is over. */
    phase: 'arriving' | 'inFlight' | 'sending' | 'live' | undefined
    /** How its answer will be kept. */
    keeping: Keeping | undefined
    traceId: string
    startedAt: number
  }
}
