import { MultiSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import { useRead } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { type Field, fieldRules, type Validation, type Validations } from './field-rules.ts'

type Props = {
  field: Field
  faults: Record<string, string>
  onChange: (validations: Validations) => void
}
type InputProps = { name: Validation; field: Field; error: string | undefined; set: (value: unknown) => void }

/** The bounds that this kind of field can have. */
export const ValidationInputs = ({ field, faults, onChange }: Props) => {
  const { validations: possible = [] } = fieldRules[field.label]
  const set = (name: Validation) => (value: unknown) => {
    const { [name]: _before, ...rest } = field.validations
    const isGiven = value !== '' && value !== undefined && !(Array.isArray(value) && value.length === 0)
    onChange(isGiven ? { ...rest, [name]: value } : rest)
  }
  return possible.map((name) => {
    const Input = inputs[name]
    const error = Object.entries(faults).find(([path]) => path.startsWith(`validations.${name}`))?.[1]
    return <Input key={name} name={name} field={field} error={error} set={set(name)} />
  })
}

const Count = ({ name, field, error, set }: InputProps) => (
  <NumberInput
    label={t.models.validations[name]}
    min={0}
    allowDecimal={false}
    hideControls
    value={(field.validations[name] as number | undefined) ?? ''}
    error={error}
    onChange={set}
  />
)

const Bound = ({ name, field, error, set }: InputProps) => {
  const texts = t.models.validations
  if (fieldRules[field.label].values === 'moment')
    return (
      <TextInput
        label={name === 'min' ? texts.earliest : texts.latest}
        placeholder={texts.momentHint}
        value={String(field.validations[name] ?? '')}
        error={error}
        onChange={(event) => set(event.currentTarget.value)}
      />
    )
  return (
    <NumberInput
      label={texts[name]}
      hideControls
      value={(field.validations[name] as number | undefined) ?? ''}
      error={error}
      onChange={set}
    />
  )
}

const Pattern = ({ name, field, error, set }: InputProps) => (
  <TextInput
    label={t.models.validations.pattern}
    description={t.models.validations.patternHint}
    maxLength={500}
    value={String(field.validations[name] ?? '')}
    error={error}
    onChange={(event) => set(event.currentTarget.value)}
  />
)

const Values = ({ field, error, set }: InputProps) => {
  const isNumber = fieldRules[field.label].values === 'number'
  return (
    <TagsInput
      label={t.models.validations.values}
      placeholder={field.validations.values?.length ? undefined : t.models.validations.valuesHint}
      value={(field.validations.values ?? []).map(String)}
      error={error}
      maxTags={1000}
      onChange={(values) =>
        set(isNumber ? values.map((value) => (Number.isNaN(Number(value)) ? value : Number(value))) : values)
      }
    />
  )
}

const Models = ({ field, error, set }: InputProps) => {
  const models = useRead('/publication_models', { query: { limit: 1000, total: false } }).data?.items ?? []
  const chosen = field.validations.models ?? []
  const gone = chosen.filter((id) => !models.some((model) => model.id === id))
  return (
    <MultiSelect
      label={t.models.validations.models}
      placeholder={chosen.length ? undefined : t.models.validations.anyModel}
      searchable
      value={chosen}
      error={error}
      onChange={set}
      data={[
        ...models.map(({ id, body }) => ({ value: id, label: body })),
        ...gone.map((id) => ({ value: id, label: id })),
      ]}
    />
  )
}

const inputs: Record<Validation, typeof Count> = {
  min_length: Count,
  max_length: Count,
  pattern: Pattern,
  min: Bound,
  max: Bound,
  values: Values,
  min_items: Count,
  max_items: Count,
  models: Models,
}
