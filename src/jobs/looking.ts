export type Looking = { stop(): Promise<void> }

/** After something went wrong: soon enough to be on time, seldom enough not to flood the log. */
const afterFault = 1000

/** Looks for work until stopped; each look does what there is and gives the milliseconds to the next. */
export const keepLooking = (
  look: (isStopped: () => boolean) => Promise<number>,
  onError: (error: unknown) => void,
): Looking => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false

  const patiently = async (): Promise<number> => {
    try {
      return await look(() => stopped)
    } catch (error) {
      if (!stopped) onError(error)
      return afterFault
    }
  }
  const run = (): void => {
    running = patiently().then((delay) => {
      if (!stopped) timer = setTimeout(run, delay).unref()
    })
  }
  run()
  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
