/** Pairs of a waveform as it is drawn. */
const wanted = 1000
/** While reading, before the length is known. */
const most = 16 * wanted

/**
 * The lowest and highest sample of each stretch. How long the sound is shows at its end, so stretches are counted finely
 * and joined in pairs whenever there are too many: memory stays the same for hours of sound.
 */
export const collectPeaks = () => {
  const low = new Float32Array(most)
  const high = new Float32Array(most)
  let stretch = 64
  let count = 0
  let within = 0

  const halve = (): void => {
    for (let index = 0; index < most / 2; index += 1) {
      low[index] = Math.min(low[2 * index]!, low[2 * index + 1]!)
      high[index] = Math.max(high[2 * index]!, high[2 * index + 1]!)
    }
    count = most / 2
    stretch *= 2
  }

  return {
    /** Samples of all channels, one after the other. */
    add(samples: Float32Array, channels: number): void {
      for (let at = 0; at < samples.length; at += channels) {
        if (within === 0) {
          if (count === most) halve()
          low[count] = 0
          high[count] = 0
          count += 1
        }
        for (let channel = 0; channel < channels; channel += 1) {
          const sample = samples[at + channel]!
          if (sample < low[count - 1]!) low[count - 1] = sample
          else if (sample > high[count - 1]!) high[count - 1] = sample
        }
        within = within + 1 === stretch ? 0 : within + 1
      }
    },
    /** At most 1,000 pairs of numbers from −127 to 127. */
    pairs(): number[] {
      const pairs: number[] = []
      const length = Math.min(wanted, count)
      for (let index = 0; index < length; index += 1) {
        const from = Math.floor((index * count) / length)
        const until = Math.floor(((index + 1) * count) / length)
        pairs.push(
          scaled(Math.min(...low.subarray(from, until))),
          scaled(Math.max(...high.subarray(from, until))),
        )
      }
      return pairs
    },
  }
}

const scaled = (sample: number): number => Math.round(Math.min(1, Math.max(-1, sample)) * 127)
