import { styleText } from 'node:util'

/** Progress goes to standard error, so that what a command answers can be piped. */
const out = process.stderr
const isTerminal = out.isTTY === true

export const bold = (text: string): string => styleText('bold', text, { stream: out })
export const dim = (text: string): string => styleText('dim', text, { stream: out })
export const green = (text: string): string => styleText('green', text, { stream: out })
export const red = (text: string): string => styleText('red', text, { stream: out })
export const yellow = (text: string): string => styleText('yellow', text, { stream: out })

export const say = (line = ''): void => {
  out.write(`${line}\n`)
}

/** One line per step: what is being done, then how long it took. */
export const step = async <T>(
  title: string,
  work: (note: (text: string) => void) => Promise<T>,
): Promise<T> => {
  const from = performance.now()
  let shown = title
  const draw = (text: string) => {
    shown = text
    if (isTerminal) out.write(`\r\x1b[2K  ${dim('…')} ${text}`)
  }
  draw(title)
  try {
    const result = await work(draw)
    const took = `${((performance.now() - from) / 1000).toFixed(2)} s`
    out.write(`${isTerminal ? '\r\x1b[2K' : ''}  ${green('✓')} ${title} ${dim(took)}\n`)
    return result
  } catch (error) {
    out.write(`${isTerminal ? '\r\x1b[2K' : ''}  ${red('✗')} ${shown}\n`)
    throw error
  }
}

/** A bar on a terminal, a line now and then elsewhere. */
export const progressBar = (title: string, total: number) => {
  let done = 0
  let drawnAt = 0
  const draw = (last: boolean) => {
    const now = performance.now()
    if (!last && now - drawnAt < (isTerminal ? 80 : 5000)) return
    drawnAt = now
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const filled = Math.round(share * 24)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(24 - filled)}`
    const text = `  ${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${title}`
    out.write(isTerminal ? `\r\x1b[2K${text}${last ? '\n' : ''}` : `${text}\n`)
  }
  return {
    add(count: number): void {
      done += count
      draw(false)
    },
    end: (): void => draw(true),
  }
}
