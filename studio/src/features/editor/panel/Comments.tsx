import { ActionIcon, Button, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { queryClient, readOptions, useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Editor.module.css'

/** Notes of colleagues, which readers never see. */
export const Comments = ({ id, disabled }: { id: string; disabled: boolean }) => {
  const given = { path: { id }, query: { limit: 100, total: false } }
  const read = useRead('/publications/{id}/internal_comments', given)
  const [typed, setTyped] = useState('')
  const again = () =>
    queryClient.invalidateQueries(readOptions('/publications/{id}/internal_comments', given))
  const add = async (body: string) => {
    await api.post('/publications/{id}/internal_comments', { path: { id }, body: { body } })
    await again()
  }
  const send = async () => {
    try {
      await add(typed.trim())
      setTyped('')
    } catch (error) {
      toastError(t.editor.addComment, error)
    }
  }
  const remove = async ({ id: comment_id, body }: Marquee.Remark) => {
    try {
      await api.delete('/publications/{id}/internal_comments/{comment_id}', { path: { id, comment_id } })
      await again()
      toast(t.editor.commentRemoved, () => add(body))
    } catch (error) {
      toastError(t.actions.remove, error)
    }
  }
  if (read.error) return <ErrorState error={read.error} retry={read.refetch} />
  return (
    <Stack gap="sm">
      {!read.data && <Skeleton height={40} />}
      {read.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.editor.noComments}
        </Text>
      )}
      {read.data?.items.map((comment) => (
        <div key={comment.id} className={classes.version}>
          <div className={classes.grow}>
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {comment.body}
            </Text>
            <Text size="xs" c="dimmed">
              <RelativeTime at={comment.created_on} />
            </Text>
          </div>
          {!disabled && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t.editor.removeComment}
              onClick={() => remove(comment)}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {!disabled && (
        <>
          <Textarea
            size="xs"
            autosize
            minRows={2}
            aria-label={t.editor.comment}
            placeholder={t.editor.comment}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" disabled={typed.trim() === ''} onClick={send}>
            {t.editor.addComment}
          </Button>
        </>
      )}
    </Stack>
  )
}
