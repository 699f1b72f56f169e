/** What the media process is asked for, and what it answers. */

/** A file that was made; `name` is its name in the folder for what comes out. */
export type MadeFile = {
  name: string
  label: string
  mime_type: string
  width?: number
  height?: number
  bitrate?: number
}

/** What a file turned out to be. */
export type Facts = {
  width?: number
  height?: number
  /** Seconds, counted by decoding. */
  duration?: number
  details: Record<string, unknown>
  files: MadeFile[]
}

export type Sizes = {
  width?: number
  height?: number
  /** `cover` cuts what is over, `contain` keeps all of it; neither enlarges. */
  fit?: 'cover' | 'contain'
  quality?: number
  format: 'avif' | 'webp' | 'jpeg' | 'png'
  /** What must stay in sight, from 0 to 1. */
  focal?: { x: number; y: number }
}

/** About as good as each other to the eye. */
export const qualities: Record<Sizes['format'], number> = { avif: 50, webp: 75, jpeg: 80, png: 100 }

/** `output` is a folder that is there. */
export type Order<Options = unknown> = { task: string; input: string; output: string; options?: Options }

/** How much is done, from 0 to 1. */
export type Report = (progress: number) => void

export type Task<Options = never, Result = unknown> = (
  order: Order<Options>,
  report: Report,
) => Promise<Result>

/** The file is to blame: whoever sent it is told why, and trying again would give the same. */
export class Refused extends Error {
  override name = 'Refused'
}
