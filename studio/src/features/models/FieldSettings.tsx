import { Fieldset, NativeSelect, Stack, Switch, Textarea, TextInput, Title } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { DefaultValue } from './DefaultValue.tsx'
import {
  type Field,
  type FieldLabel,
  fieldRules,
  groups,
  labelsOf,
  nameFrom,
  withLabel,
} from './field-rules.ts'
import { ValidationInputs } from './ValidationInputs.tsx'

type Props = {
  field: Field
  /** By property, such as `api_id` or `validations.min`. */
  faults: Record<string, string>
  disabled: boolean
  onChange: (field: Field) => void
}

/** All that one field can be told. */
export const FieldSettings = ({ field, faults, disabled, onChange }: Props) => {
  const texts = t.models.field
  const rules = fieldRules[field.label]
  const set = (changes: Partial<Field>) => onChange({ ...field, ...changes })
  const retitle = (title: string) => {
    // The name follows the title until it is saved or was given by hand.
    const follows = !field.savedAs && field.api_id.startsWith(nameFrom(field.title ?? ''))
    set({ title, ...(follows && nameFrom(title) && { api_id: nameFrom(title) }) })
  }
  return (
    <Fieldset variant="unstyled" disabled={disabled}>
      <Stack gap="md">
        <TextInput
          label={texts.title}
          data-autofocus
          maxLength={200}
          value={field.title ?? ''}
          error={faults.title}
          onChange={(event) => retitle(event.currentTarget.value)}
        />
        <TextInput
          label={texts.apiId}
          description={texts.apiIdHint}
          maxLength={64}
          value={field.api_id}
          error={faults.api_id}
          onChange={(event) => set({ api_id: event.currentTarget.value })}
        />
        <Textarea
          label={texts.description}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={2000}
          value={field.description ?? ''}
          error={faults.description}
          onChange={(event) => set({ description: event.currentTarget.value || null })}
        />
        <NativeSelect
          label={texts.type}
          description={t.models.types[field.label][1]}
          value={field.label}
          error={faults.label}
          onChange={(event) => onChange(withLabel(field, event.currentTarget.value as FieldLabel))}
          data={groups.map((group) => ({
            group: t.models.groups[group],
            items: labelsOf(group).map((value) => ({ value, label: t.models.types[value][0] })),
          }))}
        />
        <Switch
          label={texts.required}
          description={texts.requiredHint}
          checked={field.required}
          onChange={(event) => set({ required: event.currentTarget.checked })}
        />
        <Switch
          label={texts.localized}
          description={texts.localizedHint}
          checked={field.localized}
          onChange={(event) => set({ localized: event.currentTarget.checked })}
        />
        {rules.filterable && (
          <Switch
            label={texts.filterable}
            description={texts.filterableHint}
            checked={field.filterable}
            onChange={(event) => set({ filterable: event.currentTarget.checked })}
          />
        )}
        {rules.validations && (
          <>
            <Title order={3} size="sm" mt="sm">
              {texts.validations}
            </Title>
            <ValidationInputs
              field={field}
              faults={faults}
              onChange={(validations) => set({ validations })}
            />
          </>
        )}
        {!rules.reference && (
          <DefaultValue field={field} faults={faults} onChange={(value) => set({ default: value })} />
        )}
      </Stack>
    </Fieldset>
  )
}
