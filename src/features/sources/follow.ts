import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { Known } from './commands.ts'
import { findAccount } from './connect/microblog.ts'
import type { SourceBody } from './schema.ts'

/**
 * What the microblog says of an account that is to be followed. One that it does not know cannot be; one that it cannot
 * be asked for now is looked for again by the polls.
 */
export const accountOf = async (
  context: Pick<Context, 'config' | 'outgoing'>,
  { screen_name }: SourceBody,
): Promise<Known> => {
  if (!context.config.microblogUrl || !screen_name) return {}
  const found = await findAccount(context, screen_name.replace(/^@/, '')).catch(() => undefined)
  if (found === null) throw invalid('screen_name', 'is not an account of the microblog')
  return found ?? {}
}
