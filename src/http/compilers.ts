import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compile<Route, Call> = (route: Route) => Call
type Validate = { (data: unknown): unknown; errors?: unknown }
type Serialize = (data: unknown) => string

/**
 * Schemas are compiled when their route is first used. Compiling those of a hundred routes at the start took a
 * quarter of a second, most of it for routes that are not called in the next minute.
 */
export const lazyCompilers: NonNullable<FastifyServerOptions['schemaController']>['compilersFactory'] = {
  buildValidator: ((...options: never[]) => {
    const compile = (AjvCompiler() as (...options: never[]) => Compile<unknown, Validate>)(...options)
    return (route: unknown): Validate => {
      let compiled: Validate | undefined
      const validate: Validate = (data) => {
        compiled ??= compile(route)
        const valid = compiled(data)
        validate.errors = compiled.errors
        return valid
      }
      return validate
    }
  }) as never,
  buildSerializer: ((...options: never[]) => {
    const compile = (SerializerSelector() as unknown as (...options: never[]) => Compile<unknown, Serialize>)(
      ...options,
    )
    return (route: unknown): Serialize => {
      let compiled: Serialize | undefined
      return (data) => {
        compiled ??= compile(route)
        return compiled(data)
      }
    }
  }) as never,
}
