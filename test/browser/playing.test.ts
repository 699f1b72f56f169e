import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { eventually } from '../harness/access.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { chromiumPath } from '../harness/chromium.ts'
import { tone, video } from '../harness/media.ts'
import { upload } from '../harness/uploads.ts'

/** Paths of what was made, by file name. */
const made = async (app: TestApp, id: string): Promise<Record<string, string>> => {
  const asset = await eventually(async () => {
    const { body } = await app.call('GET', `/assets/${id}?fields=cdn_files`)
    return body.status === 'ready' && body
  }, 60_000)
  const files: { name: string; url: string }[] = asset.cdn_files
  return Object.fromEntries(files.map(({ name, url }) => [name, new URL(url).pathname]))
}

type Played = { ended: boolean; error: string | null; seconds: number; width: number; height: number }

/** Plays to the end; streams by a library, as most sites do. */
const player = `(url) => new Promise((resolve) => {
  const player = document.getElementById('player')
  const tell = (ended, error) => resolve({
    ended, error, seconds: player.duration, width: player.videoWidth, height: player.videoHeight,
  })
  player.onended = () => tell(true, null)
  player.onerror = () => tell(false, player.error.message)
  if (url.endsWith('.m3u8')) {
    const hls = new Hls()
    hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && tell(false, details))
    hls.loadSource(url)
    hls.attachMedia(player)
  } else player.src = url
  player.play().catch(() => {})
})`
const play = (page: Page, path: string): Promise<Played> =>
  page.evaluate(`(${player})(${JSON.stringify(path)})`)

test('a browser plays what was made: the video, its stream, and both kinds of sound', async () => {
  const app = await startApp({}, { processing: true })
  const film = await upload(app, await video({ seconds: 1, rotation: 90 }), {
    label: 'Video',
  })
  const sound = await upload(app, await tone({ seconds: 1 }), { label: 'Audio' })
  const [films, sounds] = [await made(app, film.id), await made(app, sound.id)]
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required']
  const browser = await chromium.launch({ executablePath: chromiumPath(), args })
  try {
    const page = await browser.newPage({ baseURL: app.origin, ignoreHTTPSErrors: true })
    const body = '<video id="player" muted></video>'
    await page.route('**/player', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto('/player')
    await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js')) })
    for (const name of ['video.mp4', 'master.m3u8']) {
      const { seconds, ...played } = await play(page, films[name]!)
      assert.deepEqual(played, { ended: true, error: null, width: 180, height: 320 }, name)
      assert.ok(Math.abs(seconds - 1) < 0.15, `${name} lasts ${seconds} s`)
    }
    for (const name of ['audio.m4a', 'audio.ogg']) {
      const { ended, error, seconds } = await play(page, sounds[name]!)
      assert.deepEqual([ended, error], [true, null], name)
      assert.ok(Math.abs(seconds - 1) < 0.05, `${name} lasts ${seconds} s`)
    }
  } finally {
    await browser.close()
  }
})
