import { Button, FileButton, Group, Menu } from '@mantine/core'
import { IconChevronDown, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { t } from '../../texts/index.ts'
import { acceptOf } from './files.ts'
import { addUploads } from './uploads/store.ts'

export const UploadButton = ({ folder }: { folder: string | undefined }) => {
  const covers = useRef<HTMLInputElement>(null)
  return (
    <Group gap={1} wrap="nowrap">
      <FileButton multiple accept={acceptOf()} onChange={(files) => addUploads(files, { folder })}>
        {(props) => (
          <Button
            {...props}
            leftSection={<IconUpload size={16} aria-hidden />}
            style={{ borderStartEndRadius: 0, borderEndEndRadius: 0 }}
          >
            {t.media.upload}
          </Button>
        )}
      </FileButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            px={8}
            aria-label={t.media.moreUploads}
            style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
          >
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => covers.current?.click()}>{t.media.uploadCovers}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={covers}
        type="file"
        hidden
        multiple
        accept={acceptOf(['Cover'])}
        onChange={({ currentTarget }) => {
          addUploads(currentTarget.files ?? [], { folder, as: 'Cover' })
          currentTarget.value = ''
        }}
      />
    </Group>
  )
}
