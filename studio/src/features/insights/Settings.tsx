import { Button, Group, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { faultsOf } from '../../components/explain.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { LeafRow } from '../audience/segments/LeafRow.tsx'
import { useContentFields } from '../content/fields.ts'
import classes from './Insights.module.css'
import type { Recommendation } from './recommendation.ts'

const settings = [
  'name',
  'type',
  'filter',
  'weights',
  'kpi_label',
  'exploration',
  'diversity',
  'control_share',
  'exclude_seen',
] as const

type Draft = Pick<Recommendation, (typeof settings)[number]>
const weights = ['collaborative', 'sessions', 'content', 'popularity'] as const

const blank: Draft = {
  name: '',
  type: 'recommended_for_you',
  filter: {},
  weights: { collaborative: 1, sessions: 0.3, content: 0.4, popularity: 0.01 },
  kpi_label: null,
  exploration: 0.1,
  diversity: 4,
  control_share: 0.05,
  exclude_seen: true,
}

const draftOf = (from: Draft): Draft =>
  Object.fromEntries(settings.map((name) => [name, from[name]])) as Draft

type Props = { recommendation?: Recommendation; readOnly?: boolean }

/** How a recommendation ranks; a new one begins as the service would make it. */
export const Settings = ({ recommendation, readOnly = false }: Props) => {
  const [draft, setDraft] = useState(() => draftOf(recommendation ?? blank))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const navigate = useNavigate()
  const fields = useContentFields({})
  const set = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }))
  const put = async (body: Draft) => {
    await api.put('/recommendations/{id}', { path: { id: recommendation!.id }, body: body as never })
    refresh('recommendations')
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      if (recommendation) {
        const before = draftOf(recommendation)
        await put(draft)
        toast(t.insights.saved(draft.name), () => put(before))
      } else {
        const made = await api.post('/recommendations', { body: draft as never })
        refresh('recommendations')
        toast(t.insights.made(made.name))
        await navigate({ to: '/insights/$id', params: { id: made.id } as never, replace: true })
      }
      setFaults({})
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.insights.saving, error)
    }
  }
  /** Taken back, it is made anew with the same settings. */
  const remove = async () => {
    const before = draftOf(recommendation!)
    try {
      await api.delete('/recommendations/{id}', { path: { id: recommendation!.id } })
      await navigate({ to: '/insights' })
      refresh('recommendations')
      toast(t.insights.deleted(before.name), async () => {
        await api.post('/recommendations', { body: before as never })
        refresh('recommendations')
      })
    } catch (error) {
      toastError(t.insights.delete, error)
    }
  }
  const number = (name: 'exploration' | 'diversity' | 'control_share', label: string, hint: string) => (
    <NumberInput
      size="xs"
      label={label}
      description={hint}
      value={draft[name]}
      error={faults[name]}
      min={0}
      step={name === 'diversity' ? 1 : 0.05}
      onChange={(value) => set({ [name]: Number(value) })}
    />
  )
  return (
    <form onSubmit={save}>
      <fieldset disabled={readOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Stack gap="lg" maw={560}>
          <TextInput
            size="xs"
            label={t.insights.name}
            required
            value={draft.name}
            error={faults.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            label={t.insights.type}
            description={t.insights.typeHints[draft.type]}
            value={draft.type}
            error={faults.type}
            onChange={(event) => set({ type: event.currentTarget.value as Draft['type'] })}
            data={Object.entries(t.insights.types).map(([value, label]) => ({ value, label }))}
          />
          <div role="group" aria-label={t.insights.filter}>
            <Text size="xs" fw={600} mb={4}>
              {t.insights.filter}
            </Text>
            {Object.keys(draft.filter).length === 0 && (
              <Text size="xs" c="dimmed">
                {t.insights.filterNone}
              </Text>
            )}
            <LeafRow
              leaf={{ key: '', filter: draft.filter }}
              known={fields}
              offered={fields}
              addLabel={t.insights.filterAdd}
              onChange={({ filter }) => set({ filter })}
              onRemove={() => set({ filter: {} })}
            />
            {Object.entries(faults)
              .filter(([path]) => path.startsWith('filter'))
              .map(([path, message]) => (
                <Text key={path} size="xs" c="var(--danger)">
                  {message}
                </Text>
              ))}
          </div>
          <NativeSelect
            size="xs"
            label={t.insights.kpi}
            value={draft.kpi_label ?? ''}
            error={faults.kpi_label}
            onChange={(event) => set({ kpi_label: event.currentTarget.value || null })}
            data={[
              { value: '', label: t.insights.anyKpi },
              ...Object.entries(t.audience.labels).map(([value, label]) => ({ value, label })),
            ]}
          />
          <div role="group" aria-label={t.insights.weights}>
            <Text size="xs" fw={600} mb={4}>
              {t.insights.weights}
            </Text>
            <div className={classes.weights}>
              {weights.map((name) => (
                <NumberInput
                  key={name}
                  size="xs"
                  label={t.insights.weightNames[name]}
                  value={draft.weights[name] ?? blank.weights[name]!}
                  error={faults[`weights.${name}`]}
                  min={0}
                  step={0.1}
                  onChange={(value) => set({ weights: { ...draft.weights, [name]: Number(value) } })}
                />
              ))}
            </div>
          </div>
          {number('exploration', t.insights.exploration, t.insights.explorationHint)}
          {number('diversity', t.insights.diversity, t.insights.diversityHint)}
          {number('control_share', t.insights.controlShare, t.insights.controlShareHint)}
          <Switch
            size="xs"
            label={t.insights.excludeSeen}
            checked={draft.exclude_seen}
            onChange={(event) => set({ exclude_seen: event.currentTarget.checked })}
          />
          {!readOnly && (
            <Group gap="sm">
              <Button type="submit" size="xs">
                {recommendation ? t.insights.save : t.insights.create}
              </Button>
              {recommendation && (
                <Button size="xs" variant="default" onClick={remove}>
                  {t.insights.delete}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}
