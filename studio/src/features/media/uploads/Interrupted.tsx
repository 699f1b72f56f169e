import { Button, CloseButton, FileButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { type Begun, forgetKey, isSame, unfinished } from './remembered.ts'
import { addUploads, type Upload } from './store.ts'
import classes from './Uploads.module.css'

/** A page may not keep a file, so whoever comes back must point at it once more. */
export const Interrupted = ({ uploads }: { uploads: Upload[] }) => {
  const [begun, setBegun] = useState(unfinished)
  const left = begun.filter((one) => !uploads.some(({ file }) => isSame(one, file)))
  const goOn = (one: Begun, file: File | null) => {
    if (!file) return
    if (isSame(one, file)) addUploads([file])
    else toast(t.media.otherFile)
  }
  const drop = ({ key }: Begun) => {
    forgetKey(key)
    setBegun((before) => before.filter((one) => one.key !== key))
  }
  if (left.length === 0) return null
  return (
    <ul className={classes.interrupted}>
      {left.map((one) => (
        <li key={one.key}>
          <Group wrap="nowrap" gap="sm">
            <div className={classes.names}>
              <Text size="sm" fw={500} className="ellipsis">
                {one.name}
              </Text>
              <Text size="xs" c="dimmed">
                {t.media.interrupted}
              </Text>
            </div>
            <FileButton accept="video/*,.mkv" onChange={(file) => goOn(one, file)}>
              {(props) => (
                <Button {...props} size="compact-sm" variant="default">
                  {t.media.chooseAgain}
                </Button>
              )}
            </FileButton>
            <CloseButton size="sm" onClick={() => drop(one)} aria-label={t.media.cancel(one.name)} />
          </Group>
        </li>
      ))}
    </ul>
  )
}
