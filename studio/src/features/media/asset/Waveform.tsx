import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useState } from 'react'
import { formatDuration } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import classes from './Asset.module.css'

type Props = { url: string | undefined; media: HTMLMediaElement | null; seconds: number }

const height = 64

/** Lowest and highest samples in turn, as one closed shape: 1000 pairs are 2000 points. */
const shapeOf = (peaks: number[]): string => {
  const points = peaks.map((value, index) => ({
    x: Math.floor(index / 2),
    y: (height / 2) * (1 - value / 127),
    isHigh: index % 2 === 1,
  }))
  const high = points.filter(({ isHigh }) => isHigh)
  const low = points.filter(({ isHigh }) => !isHigh).reverse()
  return `M${[...high, ...low].map(({ x, y }) => `${x} ${y.toFixed(1)}`).join('L')}Z`
}

const readPeaks = async (url: string): Promise<number[]> => {
  const answer = await fetch(url)
  const { data = [] } = answer.ok ? ((await answer.json()) as { data?: number[] }) : {}
  return data
}

/** A click goes there; so do the arrow keys. */
export const Waveform = ({ url, media, seconds }: Props) => {
  const { data: peaks = [] } = useQuery({
    queryKey: ['peaks', url],
    queryFn: () => readPeaks(url!),
    enabled: url !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const at = usePosition(media)
  const length = media?.duration && Number.isFinite(media.duration) ? media.duration : seconds
  const go = (to: number) => {
    if (media) media.currentTime = Math.min(Math.max(to, 0), length)
  }
  const click = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    go(((event.clientX - box.left) / box.width) * length)
  }
  if (peaks.length < 4 || length === 0) return null
  const part = at / length
  const count = peaks.length / 2
  const shape = shapeOf(peaks)
  return (
    <div
      className={classes.waveform}
      role="slider"
      tabIndex={0}
      aria-label={t.media.position}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={`${formatDuration(at)} / ${formatDuration(length)}`}
      onClick={click}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') go(at - 5)
        if (key === 'ArrowRight') go(at + 5)
      }}
    >
      <svg viewBox={`0 0 ${count - 1} ${height}`} preserveAspectRatio="none" aria-hidden>
        <path d={shape} className={classes.wave} />
        <clipPath id="played">
          <rect x="0" y="0" width={part * (count - 1)} height={height} />
        </clipPath>
        <path d={shape} className={classes.played} clipPath="url(#played)" />
      </svg>
      <span className={`${classes.clock} figures`}>
        {formatDuration(at)} / {formatDuration(length)}
      </span>
    </div>
  )
}

/** Four times a second is what browsers tell; enough for a line that moves. */
const usePosition = (media: HTMLMediaElement | null): number => {
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (!media) return
    const end = new AbortController()
    const tell = () => setAt(media.currentTime)
    for (const name of ['timeupdate', 'seeking', 'loadedmetadata'])
      media.addEventListener(name, tell, { signal: end.signal })
    return () => end.abort()
  }, [media])
  return at
}
