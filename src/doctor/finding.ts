export type Level = 'ok' | 'warning' | 'problem'

/** One line of what the doctor says: a sentence about what is, and where it is wrong what to do. */
export type Finding = { part: string; level: Level; message: string }

const make =
  (level: Level) =>
  (part: string, message: string): Finding => ({ part, level, message })

export const ok = make('ok')
export const warning = make('warning')
export const problem = make('problem')

/** A check that fails by itself is a finding too, and keeps no other from being made. */
export const findings = async (
  part: string,
  check: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> => {
  try {
    return [await check()].flat()
  } catch (error) {
    return [problem(part, `Could not be checked: ${(error as Error).message}`)]
  }
}
