import { Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../texts/index.ts'
import classes from './Inputs.module.css'
import { useFound } from './kinds.ts'

type Props = {
  label: string
  name: string
  locale: string
  models: string[]
  taken: Set<string>
  onPick: (item: { id?: string; body?: string }) => void
}

/** Finds what a reference may lead to, while it is typed. A tag that is not there yet is made. */
export const Finder = ({ label, name, locale, models, taken, onPick }: Props) => {
  const combobox = useCombobox({ onDropdownOpen: () => combobox.selectFirstOption() })
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 180)
  const found = useFound(label, words, combobox.dropdownOpened, locale, models).filter(
    ({ id }) => !taken.has(id),
  )
  const isNew =
    label === 'TagBox' && words !== '' && !found.some((one) => one.name.toLowerCase() === words.toLowerCase())
  const pick = (value: string) => {
    onPick(value === '$new' ? { body: words } : { id: value, ...(label === 'TagBox' && named(value)) })
    setTyped('')
    combobox.closeDropdown()
  }
  const named = (id: string) => ({ body: found.find((one) => one.id === id)!.name })
  return (
    <Combobox store={combobox} onOptionSubmit={pick}>
      <Combobox.Target>
        <TextInput
          size="xs"
          aria-label={t.editor.addTo(name)}
          placeholder={t.editor.find[label as 'Asset'] ?? t.common.search}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {found.map(({ id, name: shown, more, picture }) => (
            <Combobox.Option key={id} value={id}>
              <Group gap="sm" wrap="nowrap">
                {label === 'Asset' &&
                  (picture ? (
                    <img className={classes.picture} src={picture} alt="" />
                  ) : (
                    <span className={classes.picture} />
                  ))}
                <Text size="sm" className="ellipsis">
                  {shown}
                </Text>
                {more && (
                  <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
                    {more}
                  </Text>
                )}
              </Group>
            </Combobox.Option>
          ))}
          {isNew && <Combobox.Option value="$new">{t.editor.makeTag(words)}</Combobox.Option>}
          {found.length === 0 && !isNew && <Combobox.Empty>{t.palette.nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
