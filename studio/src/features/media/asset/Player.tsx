import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../../api/access.ts'
import { type Asset, addressOf, nameOf, originalOf } from '../files.ts'
import classes from './Asset.module.css'
import { Waveform } from './Waveform.tsx'

/** Plays the stream where there is one, and shows what is heard along it. */
const Player = ({ asset }: { asset: Asset }) => {
  const [media, setMedia] = useState<HTMLMediaElement | null>(null)
  const locale = useEnvironment()?.default_locale ?? ''
  const label = asset.alt[locale] || nameOf(asset)
  const isVideo = asset.label === 'Video'
  return (
    <div className={classes.player}>
      {isVideo ? (
        <Video asset={asset} label={label} onMedia={setMedia} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the library keeps no captions
        <audio ref={setMedia} controls preload="metadata" aria-label={label}>
          {['audio.m4a', 'audio.ogg'].map((name) => {
            const src = addressOf(asset, name)
            return (
              src && <source key={name} src={src} type={name.endsWith('ogg') ? 'audio/ogg' : 'audio/mp4'} />
            )
          })}
        </audio>
      )}
      <Waveform
        url={addressOf(asset, 'peaks.json')}
        media={media}
        seconds={asset.storage_file?.duration ?? 0}
      />
    </div>
  )
}

type VideoProps = { asset: Asset; label: string; onMedia: (media: HTMLMediaElement | null) => void }

const Video = ({ asset, label, onMedia }: VideoProps) => {
  const ref = useRef<HTMLVideoElement>(null)
  const stream = addressOf(asset, 'master.m3u8')
  const file = addressOf(asset, 'video.mp4') ?? originalOf(asset)
  useEffect(() => {
    const video = ref.current!
    onMedia(video)
    const end = new AbortController()
    attach(video, stream, file, end.signal)
    return () => end.abort()
  }, [stream, file, onMedia])
  const { width, height } = asset.storage_file ?? {}
  return (
    // biome-ignore lint/a11y/useMediaCaption: the library keeps no captions
    <video
      ref={ref}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
      poster={addressOf(asset, 'poster.webp', 'poster.jpg')}
      style={width && height ? { aspectRatio: `${width} / ${height}` } : undefined}
    />
  )
}

/** The library is fetched when a stream is first played in a browser that cannot do it by itself. */
const attach = async (
  video: HTMLVideoElement,
  stream: string | undefined,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  if (stream) {
    const { default: Hls } = await import('hls.js')
    if (signal.aborted) return
    if (Hls.isSupported()) {
      const hls = new Hls({ autoStartLoad: true, maxBufferLength: 20 })
      signal.addEventListener('abort', () => hls.destroy())
      hls.on(Hls.Events.ERROR, (_, { fatal }) => {
        if (!fatal || !file) return
        hls.destroy()
        video.src = file
      })
      hls.loadSource(stream)
      hls.attachMedia(video)
      return
    }
  }
  const own = stream && video.canPlayType('application/vnd.apple.mpegurl') ? stream : file
  if (own) video.src = own
}

export default Player
