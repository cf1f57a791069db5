import { foldText } from "./split-words.ts";

// English words, then what asks for them in Chinese and Japanese. Longer terms are found before the ones inside them.
const LINES = `
file: 文件 档案 ファイル
folder directory: 文件夹 资料夹 目录 フォルダ ディレクトリ
search find: 搜索 搜寻 搜 查找 查询 检索 找 探 検索
read: 读 読
write: 写入 写 書き込 書く 書いて
edit modify: 编辑 修改 改 編集 変更 修正 直
delete remove: 删除 删 移除 削除 消
create: 创建 新建 建立 生成 作成 作る 作って 作り
list: 列出 列表 清单 一覧
show view: 显示 查看 看 表示 見
run execute: 运行 执行 跑 実行 走らせ 動か
command: 命令 指令 コマンド
test: 测试 テスト
code: 代码 程式码 源码 コード
function: 函数 関数
error: 错误 报错 エラー
debug: 调试 除错 デバッグ
log: 日志 ログ
commit: 提交 コミット
branch: 分支 ブランチ
merge: 合并 マージ
difference: 差异 差分
history: 历史 履歴
issue: 问题 課題 イシュー
web: 网页 网站 网络 网上 ウェブ サイト ネット
page: 页面 ページ
link url: 链接 网址 リンク
download: 下载 ダウンロード
upload: 上传 アップロード
database: 数据库 资料库 データベース
query: 查询 クエリ
data: 数据 资料 データ
user: 用户 使用者 ユーザ
ask question: 询问 提问 问 質問 尋ね 聞い
message: 消息 信息 讯息 メッセージ
email mail: 邮件 电邮 メール
send: 发送 发 送信 送
image picture: 图片 图像 照片 画像 写真
screenshot: 截图 截屏 スクリーンショット スクショ
translate: 翻译 翻訳
summarize: 摘要 总结 概括 要約
document: 文档 文書 ドキュメント
text: 文本 文字 テキスト
format: 格式化 格式 整形 フォーマット
install: 安装 インストール
package dependency: 包 依赖 套件 パッケージ 依存
rename: 重命名 改名 リネーム
move: 移动 移動
copy: 复制 拷贝 コピー
definition: 定义 定義
reference: 引用 参照
deploy: 部署 デプロイ
compress archive: 压缩 打包 圧縮
calendar: 日历 日程 カレンダー
event: 活动 事件 予定 イベント
time: 时间 時間 時刻
date: 日期 日付
weather: 天气 天気
price: 价格 价钱 値段 価格
calculate: 计算 計算
convert: 转换 変換
open: 打开 開
close: 关闭 閉
start: 启动 开始 起動 開始
stop: 停止 止め
update: 更新 升级 アップデート
save: 保存 储存
undo revert: 撤销 还原 取り消 元に戻
project: 项目 专案 プロジェクト
server: 服务器 伺服器 サーバ
service: 服务 サービス
password: 密码 パスワード
map location: 地图 位置 地図
permission: 权限 権限
setting configuration: 设置 配置 设定 設定
build compile: 构建 编译 ビルド コンパイル
version: 版本 バージョン
plugin: 插件 プラグイン
terminal: 终端 ターミナル
process: 进程 プロセス
task: 任务 タスク
order: 订单 下单 注文
book reserve: 预订 预约 予約
hotel: 酒店 旅馆 ホテル
flight: 航班 フライト
restaurant: 餐厅 饭馆 レストラン
movie: 电影 映画
music: 音乐 音楽
news: 新闻 ニュース
stock: 股票 株価
currency: 货币 汇率 通貨
city: 城市 都市
name: 名字 名称 名前
number: 数字 数値
`;

/** Terms in folded form with the English words they stand for, longest first. */
export function readGlossary(): readonly (readonly [term: string, words: readonly string[]])[] {
  return LINES.trim()
    .split("\n")
    .flatMap((line) => {
      const [english = "", terms = ""] = line.split(": ");
      return terms.split(" ").map((term) => [foldText(term), english.split(" ")] as const);
    })
    .sort((a, b) => b[0].length - a[0].length);
}
