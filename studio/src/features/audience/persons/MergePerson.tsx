import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { queryClient, refresh } from '../../../api/queries.ts'
import type { Choice } from '../../../components/filters/filter.ts'
import { toast } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { findPersons } from '../choices.ts'
import { FindOne } from '../FindOne.tsx'
import { type Person, personName } from '../person.ts'
import { TypedConfirmation } from './TypedConfirmation.tsx'

type Props = { person: Person; opened: boolean; onClose: () => void }

/** The other one is erased, so its name is asked for. */
export const MergePerson = ({ person, opened, onClose }: Props) => {
  const [other, setOther] = useState<Choice | null>(null)
  const name = personName(person)
  const otherName = other?.label.split(' · ')[0]
  const merge = async () => {
    const body = { person: { id: other!.value } }
    await api.post('/persons/{id}/merge', { path: { id: person.id }, body })
    queryClient.removeQueries({ queryKey: ['choices', 'persons'] })
    refresh('persons', 'segments')
    toast(t.audience.merged(otherName!))
    setOther(null)
  }
  return (
    <TypedConfirmation
      opened={opened}
      onClose={onClose}
      title={t.audience.mergeTitle(name)}
      hint={t.audience.mergeHint(name)}
      name={otherName}
      button={otherName ? t.audience.mergeDo(otherName) : t.audience.mergeTitle(name)}
      run={merge}
    >
      <FindOne
        label={t.audience.mergeWith}
        kind="persons"
        find={findPersons}
        without={person.id}
        value={other}
        onChange={setOther}
      />
    </TypedConfirmation>
  )
}
