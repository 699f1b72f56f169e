import type { V5 } from 'marquee-sdk'

export type Entry = Omit<V5.Timeline, 'channel' | 'track'> & {
  channel?: { id: string; name: string } | null
  track?: { id: string; body?: string; artist_text?: string } | null
}

export const clockOf = (shown: string): string => shown.slice(11)

/** What has begun last on each channel and is not over. */
export const runningAt = (entries: Entry[], moment: number): Set<string> => {
  const seconds = moment / 1000
  const running = new Map<string, string>()
  for (const { id, channel, published_on, unpublish_on } of entries)
    if (published_on <= seconds && seconds < unpublish_on) running.set(channel?.id ?? '', id)
  return new Set(running.values())
}

export type Form = {
  track: string | null
  body: string
  channel: string
  from: string
  until: string
}

/** Clocks with their seconds, as a browser leaves them out where they are zero. */
const whole = (clock: string): string => (clock.length === 5 ? `${clock}:00` : clock)

/** A time before the beginning is of the next day. */
const momentsOf = ({ from, until }: Form, date: string, next: string) => ({
  from: `${date} ${whole(from)}`,
  until: `${whole(until) > whole(from) ? date : next} ${whole(until)}`,
})

export const createBody = (form: Form, date: string, next: string): V5.CreateTimelineBody => ({
  ...momentsOf(form, date, next),
  channel_id: form.channel || null,
  track_id: form.track,
  ...(form.body.trim() && { body: form.body.trim() }),
})

/** Only what was changed is sent: a time that clocks show twice would mean the first again. */
export const changeBody = (form: Form, before: Form, date: string, next: string): V5.UpdateTimelineBody => ({
  ...(form.from !== before.from || form.until !== before.until ? momentsOf(form, date, next) : {}),
  ...(form.channel !== before.channel && { channel_id: form.channel || null }),
  ...(form.track !== before.track && { track_id: form.track }),
  ...(form.body.trim() && form.body !== before.body && { body: form.body.trim() }),
})

export const formOf = (entry: Entry): Form => ({
  track: entry.track?.id ?? null,
  body: entry.body,
  channel: entry.channel?.id ?? '',
  from: clockOf(entry.from),
  until: clockOf(entry.until),
})
