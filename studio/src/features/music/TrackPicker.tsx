import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../texts/index.ts'

export type Picked = { id: string; name: string; seconds: number | undefined }

type Found = {
  id: string
  body: string
  artist_text: string
  streamtracks?: { items?: { duration?: number | null }[] }
}

const pickedOf = ({ id, body, artist_text, streamtracks }: Found): Picked => ({
  id,
  name: artist_text ? `${artist_text} – ${body}` : body,
  seconds: streamtracks?.items?.[0]?.duration ?? undefined,
})

const findTracks = async (words: string): Promise<Picked[]> => {
  const query = { limit: 20, total: false, fields: 'streamtracks', ...(words && { q: words }) }
  const { items } = await api.get('/v5/tracks', { query })
  return (items as Found[]).map(pickedOf)
}

type Props = {
  value: string | null
  /** What is chosen already, by name. */
  known?: Picked | undefined
  error?: string | undefined
  onChange: (picked: Picked | null) => void
}

/** Finds a track while it is typed. */
export const TrackPicker = ({ value, known, error, onChange }: Props) => {
  const [typed, setTyped] = useState(known?.name ?? '')
  const [words] = useDebouncedValue(typed, 180)
  const isName = words === known?.name
  const { data = [] } = useQuery({
    queryKey: ['tracks', 'found', isName ? '' : words],
    queryFn: () => findTracks(isName ? '' : words),
    placeholderData: keepPreviousData,
  })
  const all = known && !data.some(({ id }) => id === known.id) ? [known, ...data] : data
  return (
    <Select
      label={t.music.track}
      placeholder={t.music.findTrack}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.actions.clear }}
      error={error}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(all.find((one) => one.id === id) ?? null)}
      // The service has searched already, with typing errors forgiven.
      filter={({ options }) => options}
      nothingFoundMessage={t.music.nothingFound}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
