import { Button, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh, usePages } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import own from './Person.module.css'

/** Notes of the back office, the newest first. */
export const Remarks = ({ id }: { id: string }) => {
  const path = `/v5/persons/${encodeURIComponent(id)}/remarks` as '/v5/persons/{id}/remarks'
  const list = usePages(path, {})
  const [body, setBody] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await api.post('/v5/persons/{id}/remark', { path: { id }, body: { body: body.trim() } })
      setBody('')
      refresh('persons')
    } catch (error) {
      toastError(t.audience.addRemark, error)
    }
  }
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Textarea
          size="xs"
          label={t.audience.remark}
          description={t.audience.remarkHint}
          autosize
          minRows={2}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" mt="sm" disabled={body.trim() === ''}>
          {t.audience.addRemark}
        </Button>
      </form>
      {list.error && <ErrorState error={list.error} retry={list.retry} />}
      {list.isLoading && <Skeleton height={80} />}
      {!list.isLoading && !list.error && list.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.audience.noRemarks}
        </Text>
      )}
      <div>
        {list.rows.map((remark) => (
          <div key={remark.id} className={own.remark} dir="auto">
            {remark.body}
            <Text size="xs" c="dimmed" mt={2}>
              <RelativeTime at={remark.created_on} />
            </Text>
          </div>
        ))}
        {list.hasMore && (
          <Button mt="md" size="xs" variant="default" onClick={list.loadMore}>
            {t.table.more}
          </Button>
        )}
      </div>
    </Stack>
  )
}
