import { Button, Checkbox, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../components/explain.ts'
import { formatNumber } from '../../components/format.ts'
import { toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { importModels, isSameHere, type Plan, planImport, readAllModels, readModelFile } from './transfer.ts'

/** A file from another environment: what it would do, then doing it. */
export const ImportModels = ({ onClose }: { onClose: () => void }) => {
  const texts = t.models.transfer
  const here = useQuery({ queryKey: ['publication_models', 'all'], queryFn: readAllModels })
  const [sent, setSent] = useState<ReturnType<typeof readModelFile>>()
  const [isWrong, setWrong] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const take = async (file: File | null | undefined) => {
    const read = file && readModelFile(await file.text())
    setSent(read || undefined)
    setWrong(!read)
    setLeft(new Set())
  }
  const plans = sent && here.data ? planImport(sent, here.data) : []
  const chosen = plans.filter((plan) => !isSameHere(plan) && !left.has(plan.sent.body))
  const run = async () => {
    setBusy(true)
    try {
      await importModels(chosen, here.data!)
      onClose()
    } catch (error) {
      toastError(texts.failed, error)
    }
    setBusy(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title}
      size="lg"
      closeButtonProps={{ 'aria-label': t.actions.close }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files[0])
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
        <Group>
          <FileButton onChange={take} accept="application/json,.json">
            {(props) => (
              <Button variant="default" {...props}>
                {sent ? texts.another : texts.drop}
              </Button>
            )}
          </FileButton>
        </Group>
        {isWrong && (
          <Text size="sm" c="var(--danger)" role="alert">
            {texts.wrong}
          </Text>
        )}
        {here.error && <Text role="alert">{explain(here.error)}</Text>}
        {plans.map((plan) => (
          <PlanLine
            key={plan.sent.body}
            plan={plan}
            chosen={chosen.includes(plan)}
            onChoose={(take) => {
              const next = new Set(left)
              if (take) next.delete(plan.sent.body)
              else next.add(plan.sent.body)
              setLeft(next)
            }}
          />
        ))}
        {sent && here.data && plans.every(isSameHere) && <Text size="sm">{texts.nothing}</Text>}
        {plans.some((plan) => !isSameHere(plan)) && (
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button onClick={run} loading={busy} disabled={chosen.length === 0}>
              {texts.do(formatNumber(chosen.length))}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

const PlanLine = ({
  plan,
  chosen,
  onChoose,
}: {
  plan: Plan
  chosen: boolean
  onChoose: (take: boolean) => void
}) => {
  const texts = t.models.transfer
  const { sent, here, added, removed, changed, missing } = plan
  const said = isSameHere(plan)
    ? texts.same
    : here
      ? texts.differs(formatNumber(added), formatNumber(removed), formatNumber(changed))
      : texts.new(formatNumber(sent.fields.length))
  return (
    <div>
      <Checkbox
        label={sent.body}
        description={said}
        disabled={isSameHere(plan)}
        checked={chosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {missing.length > 0 && (
        <Text size="xs" c="var(--waiting)" ml={28}>
          {texts.missing(missing.join(', '))}
        </Text>
      )}
    </div>
  )
}
