import { PageHead } from '../../components/PageHead.tsx'
import { t } from '../../texts/index.ts'

const ContentPage = () => <PageHead title={t.areas.content} />

export default ContentPage
