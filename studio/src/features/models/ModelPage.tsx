import { Button, Group, Menu, Skeleton, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { faultsOf } from '../../components/explain.ts'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { FieldSettings } from './FieldSettings.tsx'
import { faultsByField } from './faults.ts'
import { titleOfField } from './field-rules.ts'
import { ModelFields } from './ModelFields.tsx'
import classes from './Models.module.css'
import { Notices } from './Notices.tsx'
import { downloadModels } from './transfer.ts'
import { sentModel, useModel, useUseOf, writeModel } from './use-model.ts'

/** Each model has a state of its own. */
const ModelPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  return <Editor key={id} id={id} />
}

const Editor = ({ id }: { id: string }) => {
  const can = useCan()
  const editable = can('publication_models_publish')
  const navigate = useNavigate()
  const [address, change] = useAddress()
  const editing = useModel(id)
  const { model, saved, isNew, isDirty } = editing
  const used = useUseOf(id)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)

  const save = async (over = false) => {
    if (busy || !model || !(isDirty || isNew)) return
    setBusy(true)
    try {
      if (isNew) {
        const made = await editing.create()
        toast(t.models.created(model.body.trim()))
        navigate({ to: '/models/$id', params: { id: made }, replace: true } as never)
      } else {
        await editing.save(over)
        toast(t.models.savedToast(model.body.trim()), () => writeModel(id, saved!))
        // Keys of fields become their names.
        change({ field: undefined }, { replace: true })
      }
      setFaults({})
    } catch (error) {
      setFaults(faultsOf(error))
      if (!isNew) editing.retry()
      toastError(t.models.saving, error)
    }
    setBusy(false)
  }
  useHotkeys([['mod+S', () => save()]], [])

  const remove = async () => {
    try {
      await api.delete('/publication_models/{id}', { path: { id } })
      refresh('publication_models')
      navigate({ to: '/models' })
      toast(t.models.deleted(saved!.body), async () => {
        await api.post('/publication_models', { body: sentModel(saved!) as never })
        refresh('publication_models')
      })
    } catch (error) {
      toastError(t.models.deleting, error)
    }
  }

  if (editing.error)
    return <ErrorState title={t.models.loadFailed} error={editing.error} retry={editing.retry} />
  if (!model || !saved) return <Skeleton height={240} m="lg" />
  const { own, ofField, wrong } = faultsByField(faults)
  const openIndex = model.fields.findIndex(({ key }) => key === address.field)
  const open = model.fields[openIndex]
  const usage =
    used === undefined ? undefined : used === 0 ? t.models.notUsed : t.models.inUse(formatNumber(used))
  return (
    <div className={classes.page}>
      <PageHead title={model.body.trim() || t.models.untitled} hint={isNew ? undefined : usage}>
        <Text size="sm" c="dimmed" visibleFrom="sm" role="status">
          {isDirty ? t.models.unsaved : isNew ? '' : t.models.saved}
        </Text>
        {isDirty && (
          <Button variant="subtle" color="gray" onClick={editing.discard} visibleFrom="sm">
            {t.models.discard}
          </Button>
        )}
        {!isNew && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" px="sm" aria-label={t.models.options}>
                <IconDots size={16} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => downloadModels([id])}>{t.models.export}</Menu.Item>
              {isDirty && <Menu.Item onClick={editing.discard}>{t.models.discard}</Menu.Item>}
              {editable && (
                <Menu.Item disabled={used !== 0} onClick={remove}>
                  {t.actions.delete}
                  {!!used && (
                    <Text size="xs" c="dimmed">
                      {t.models.cannotDelete}
                    </Text>
                  )}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
        {editable && (
          <Button
            onClick={() => save()}
            loading={busy}
            disabled={isNew ? model.body.trim() === '' : !isDirty || model.body.trim() === ''}
          >
            {isNew ? t.models.create : t.models.save}
          </Button>
        )}
      </PageHead>
      <div className={classes.split}>
        <ModelFields
          model={model}
          editable={editable}
          faults={own}
          wrong={wrong}
          openKey={address.field}
          onChange={editing.change}
          onOpen={(key) => change({ field: key }, { replace: address.field !== undefined })}
          notices={<Notices editing={editing} used={used} onSaveOver={() => save(true)} />}
        />
        <Panel
          title={open ? titleOfField(open) || t.common.unnamed : ''}
          opened={open !== undefined}
          onClose={() => change({ field: undefined })}
        >
          {open && (
            <Stack>
              <FieldSettings
                key={open.key}
                field={open}
                faults={ofField(openIndex)}
                disabled={!editable}
                onChange={(next) => editing.change({ fields: model.fields.with(openIndex, next) })}
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={() => change({ field: undefined })}>
                  {t.actions.close}
                </Button>
              </Group>
            </Stack>
          )}
        </Panel>
      </div>
    </div>
  )
}

export default ModelPage
