/** Every word of the page in every language: English, Simplified Chinese, Vietnamese. `{name}` is filled in. */

import { DEALER_WORDS } from "../screens/dealer/words";
import { ODDS_WORDS } from "../screens/odds/words";
import { PIT_WORDS } from "../screens/pit/words";
import { SHOE_WORDS } from "../screens/shoe/words";
import { SURVEILLANCE_WORDS } from "../screens/surveillance/words";
import { TABLE_WORDS } from "../screens/table/words";
import { TOUR_WORDS } from "../tour/words";
import { TABLE_CATALOGUE } from "./tableWords";
import type { AnyCommand, AnyRuling, Authority, Family, FloorCode, Phase, Side } from "./types";

export const LANGUAGES = ["en", "zh-Hans", "vi"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Words = readonly [en: string, zhHans: string, vi: string];

type Winner = Side | "tie";
type Role = "player" | "dealer" | "pit" | "surveillance" | "admin";

/** What the page must have a word for, whatever the server sends. */
type Needed =
  | `phase.${Phase}`
  | `result.${Winner}`
  | `refusal.${FloorCode}`
  | `do.${AnyCommand["do"]}`
  | `family.${Family}`
  | `ruling.${AnyRuling["ruling"]}`
  | `rank.${Authority}`
  | `role.${Role}`
  | `suit.${"s" | "h" | "d" | "c"}`
  | `rank_of_card.${"A" | "J" | "Q" | "K"}`;

export const CATALOGUE = {
  ...TABLE_CATALOGUE,
  ...TABLE_WORDS,
  ...SHOE_WORDS,
  // the page
  "page.title": ["Punto Banco", "百家乐", "Baccarat"],
  "page.skip": ["Skip to content", "跳至内容", "Bỏ qua đến nội dung"],
  "page.language": ["Language", "语言", "Ngôn ngữ"],
  "page.loading": ["Loading", "加载中", "Đang tải"],
  "page.not_found": ["There is nothing at this address.", "此地址没有内容。", "Không có gì ở địa chỉ này."],
  "page.to_lobby": ["To the lobby", "返回大厅", "Về sảnh"],
  "page.sound": ["Sound", "声音", "Âm thanh"],
  "page.sound_on": ["Sound is on", "声音已开启", "Đang bật âm thanh"],
  "page.sound_off": ["Sound is off", "声音已关闭", "Đang tắt âm thanh"],
  "page.close": ["Close", "关闭", "Đóng"],
  "page.retry": ["Try again", "重试", "Thử lại"],
  "page.cancel": ["Cancel", "取消", "Hủy"],
  "page.confirm": ["Confirm", "确认", "Xác nhận"],
  "page.search": ["Search", "搜索", "Tìm kiếm"],
  "page.all": ["All", "全部", "Tất cả"],
  "page.none": ["None", "无", "Không có"],
  "page.more": ["More", "更多", "Thêm"],
  "page.version": ["Version {version}", "版本 {version}", "Phiên bản {version}"],

  // screens
  "screen.lobby": ["Lobby", "大厅", "Sảnh"],
  "screen.table": ["Table", "牌桌", "Bàn"],
  "screen.dealer": ["Dealer", "荷官", "Chia bài"],
  "screen.pit": ["Pit", "赌区", "Khu bàn"],
  "screen.surveillance": ["Surveillance", "监控", "Giám sát"],
  "screen.odds": ["Odds", "赔率", "Tỷ lệ"],
  "screen.display": ["Display", "显示屏", "Màn hình"],

  // connection
  "connection.online": ["Connected", "已连接", "Đã kết nối"],
  "connection.connecting": ["Connecting …", "连接中……", "Đang kết nối …"],
  "connection.offline": [
    "Offline. Reconnecting; nothing you have sent is lost.",
    "已离线。正在重新连接，已发送的内容不会丢失。",
    "Mất kết nối. Đang kết nối lại; không mất gì đã gửi.",
  ],
  "connection.ended": ["The connection was ended: {why}", "连接已结束：{why}", "Kết nối đã kết thúc: {why}"],
  "connection.waiting": ["Waiting for the answer", "等待回应", "Đang chờ trả lời"],
  "connection.timeout": [
    "No answer yet. It will be sent again until there is one.",
    "尚无回应。将继续发送直至得到回应。",
    "Chưa có trả lời. Sẽ gửi lại đến khi có trả lời.",
  ],

  // the display
  "display.full": ["Full screen", "全屏", "Toàn màn hình"],

  // signing in
  "signin.title": ["Sign in", "登录", "Đăng nhập"],
  "signin.lead": ["Take your seat.", "请入座。", "Mời ngồi."],
  "signin.name": ["Name", "用户名", "Tên"],
  "signin.password": ["Password", "密码", "Mật khẩu"],
  "signin.show": ["Show password", "显示密码", "Hiện mật khẩu"],
  "signin.button": ["Sign in", "登录", "Đăng nhập"],
  "signin.busy": ["Signing in …", "登录中……", "Đang đăng nhập …"],
  "signin.out": ["Sign out", "退出", "Đăng xuất"],
  "signin.as": ["Signed in as {person}", "当前用户：{person}", "Đang dùng tên {person}"],
  "signin.wrong": ["Incorrect name or password", "用户名或密码错误", "Sai tên hoặc mật khẩu"],
  "signin.over": [
    "Your session is over. Sign in again.",
    "会话已结束，请重新登录。",
    "Phiên đã hết. Hãy đăng nhập lại.",
  ],

  // lobby
  "lobby.title": ["Tables", "牌桌", "Các bàn"],
  "lobby.game": ["Game", "游戏", "Trò chơi"],
  "lobby.limit": ["Bet size", "下注额", "Mức cược"],
  "lobby.any_game": ["All games", "所有游戏", "Mọi trò chơi"],
  "lobby.any_limit": ["Any amount", "任意金额", "Bất kỳ"],
  "lobby.free_only": ["Free seats only", "仅显示有空位", "Chỉ bàn còn chỗ"],
  "lobby.join": ["Join", "入座", "Vào bàn"],
  "lobby.watch": ["Watch", "观看", "Xem"],
  "lobby.display": ["Display board", "显示屏", "Bảng hiển thị"],
  "lobby.deal": ["Deal", "发牌", "Chia bài"],
  "lobby.seats": ["{free} of {all} seats free", "{all} 座，空 {free} 座", "Còn {free}/{all} chỗ"],
  "lobby.full": ["No seat free; you can bet behind", "无空位；可站立下注", "Hết chỗ; có thể đứng cược"],
  "lobby.players": ["{count} playing", "{count} 人在玩", "{count} người chơi"],
  "lobby.rounds": ["Round {count}", "第 {count} 局", "Ván {count}"],
  "lobby.limits": ["Limits", "限红", "Giới hạn"],
  "lobby.empty": ["No table fits. Change the filter.", "没有符合条件的牌桌，请更改筛选。", "Không có bàn phù hợp. Hãy đổi bộ lọc."],
  "lobby.no_tables": ["No table is open.", "目前没有开放的牌桌。", "Chưa có bàn nào mở."],
  "lobby.no_results": ["New shoe: no results yet", "新牌靴：尚无结果", "Hộp bài mới: chưa có kết quả"],
  "lobby.electronic": ["Electronic", "电子", "Điện tử"],
  "lobby.live": ["Live dealer", "真人荷官", "Chia bài trực tiếp"],
  "lobby.waits": ["Waiting for a ruling", "等待裁定", "Chờ phán quyết"],
  "lobby.stopped": ["Stopped: {why}", "已停止：{why}", "Đã dừng: {why}"],
  "lobby.stopped_here": ["Play is stopped here", "本桌暂停", "Bàn đang tạm dừng"],
  "lobby.together": ["Play {count} tables side by side", "{count} 桌同屏", "Chơi {count} bàn cùng lúc"],
  "lobby.resume": ["Resume · chips {amount}", "继续 · 筹码 {amount}", "Tiếp tục · phỉnh {amount}"],
  "lobby.at_tables": ["of it at tables: {amount}", "其中桌上筹码：{amount}", "trong đó ở bàn: {amount}"],
  "lobby.favourite": ["Favourite table {table}", "收藏 {table} 号桌", "Bàn yêu thích {table}"],
  "lobby.streak": ["{hand}: {count} in a row", "{hand}连 {count}", "{hand}: {count} ván liền"],
  "lobby.chop": ["{count} in turn", "单跳 {count}", "{count} ván xen kẽ"],
  "lobby.fault": ["Out of order", "故障", "Bàn đang lỗi"],
  "lobby.shown": ["{count} of {all} tables", "显示 {count} / {all} 张牌桌", "{count}/{all} bàn"],

  // the sign of a table
  "sign.table": ["Table {table}", "{table} 号桌", "Bàn {table}"],
  "sign.layout": ["Layout {layout}", "布局 {layout}", "Mặt bàn {layout}"],
  "sign.decks": ["{count} decks", "{count} 副牌", "{count} bộ bài"],
  "sign.limits": ["Limits", "限红", "Giới hạn cược"],
  "sign.box_maximum": ["The maximum is for all who bet in a box", "最高限额为同一位所有玩家合计", "Mức tối đa tính chung cho mọi người ở một ô"],
  "sign.each_bet": ["Each bet", "每注", "Mỗi cược"],
  "sign.minimum": ["Minimum", "最低", "Tối thiểu"],
  "sign.maximum": ["Maximum", "最高", "Tối đa"],
  "sign.no_maximum": ["no maximum", "无上限", "không giới hạn"],
  "sign.pays": ["Pays", "赔付", "Trả"],
  "sign.to": ["{pays} to {to}", "{pays} 赔 {to}", "{pays} ăn {to}"],
  "sign.bet": ["Bet", "投注", "Cược"],
  "sign.step": ["in steps of {amount}", "以 {amount} 递增", "theo bậc {amount}"],
  "sign.new_limits": ["New limits from the next round", "下一局起采用新限红", "Giới hạn mới từ ván sau"],
  "sign.all_bets": ["All bets without their own", "所有未单独设限的投注", "Mọi cược không có mức riêng"],
  "sign.differential": ["Differential", "差额上限", "Chênh lệch"],
  "sign.differential_table": ["Differential, table", "全桌差额上限", "Chênh lệch cả bàn"],
  "sign.differential_box": ["Differential, box", "每格差额上限", "Chênh lệch mỗi ô"],
  "sign.room": ["{amount} left", "尚余 {amount}", "còn {amount}"],
  "sign.insurance": ["Insurance offered", "提供保险", "Có bảo hiểm"],
  "sign.no_insurance": ["No insurance is offered at this table", "本桌不提供保险", "Bàn này không có bảo hiểm"],
  "sign.paragraph": ["paragraph {paragraph}", "第 {paragraph} 条", "điều {paragraph}"],
  "sign.main_bets": ["Main bets", "主注", "Cược chính"],
  "pays.but_on_six": ["{usual} (wins on 6: {six})", "{usual}（6 点赢 {six}）", "{usual} (thắng 6 điểm: {six})"],
  "sign.side_bets": ["Side bets", "边注", "Cược phụ"],

  // the games, where English has the book's own title
  "game.da-hu-ying-xiong": ["Da Hu Ying Xiong (Commission Baccarat)", "打虎英雄 (抽佣百家乐)", "Đả Hổ Anh Hùng (Baccarat có hoa hồng)"],
  "game.super-six": ["Commission Baccarat with Super Six", "抽佣百家乐（幸运六）", "Baccarat có hoa hồng, Siêu Sáu"],
  "game.rws-baccarat": ["RWS Baccarat (Non-Commission)", "圣淘沙名胜世界百家乐 (免佣)", "Baccarat RWS (không hoa hồng)"],
  "game.tiger-buffalo": [
    "Tiger Buffalo (Non-Commission Baccarat with Insurance Plus)",
    "虎牛 (免佣百家乐，附加保险)",
    "Hổ Trâu (Baccarat không hoa hồng, có bảo hiểm)",
  ],
  "game.dragon-tiger-commission": ["Dragon Tiger Baccarat (Commission)", "龙虎百家乐 (抽佣)", "Baccarat Rồng Hổ (có hoa hồng)"],
  "game.dragon-tiger-non-commission": ["Dragon Tiger Baccarat (Non-Commission)", "龙虎百家乐 (免佣)", "Baccarat Rồng Hổ (không hoa hồng)"],

  // the shoe
  "shoe.title": ["Shoe {number}", "第 {number} 靴", "Hộp bài {number}"],
  "shoe.left": ["{count} cards left", "剩余 {count} 张", "còn {count} lá"],
  "shoe.round": ["Round {number}", "第 {number} 局", "Ván {number}"],
  "shoe.last_round": ["Last round of the shoe", "本靴最后一局", "Ván cuối của hộp bài"],
  "shoe.cut_card": ["Cut Card is out", "切牌已出现", "Lá cắt đã ra"],
  "shoe.ended": ["The shoe is over", "本靴结束", "Hết hộp bài"],
  "shoe.to_replace": ["Cards are replaced after this round", "本局后更换牌组", "Thay bài sau ván này"],
  "shoe.commitment": ["Commitment of the shoe", "牌靴承诺值", "Cam kết của hộp bài"],
  "shoe.shuffler": ["Shuffler, set {number}", "洗牌机，第 {number} 副", "Máy trộn, bộ {number}"],

  // phases and results
  "phase.closed": ["Closed", "已关闭", "Đã đóng"],
  "phase.idle": ["Next round shortly", "即将开局", "Sắp sang ván mới"],
  "phase.betting": ["Place your bets", "请下注", "Mời đặt cược"],
  "phase.dealing": ["No more bets", "停止下注", "Ngừng đặt cược"],
  "phase.paying": ["Paying", "派彩中", "Đang trả thưởng"],
  "result.player": ["Player wins", "闲赢", "Con thắng"],
  "result.banker": ["Banker wins", "庄赢", "Cái thắng"],
  "result.tie": ["Tie", "和局", "Hòa"],
  "result.void": ["Round void, all bets returned", "本局作废，退还所有注码", "Ván bị hủy, hoàn lại cược"],
  "result.again": ["This round was settled again", "本局已重新结算", "Ván này đã được tính lại"],
  "result.reopened": ["This round is played on", "本局继续进行", "Ván này được chơi tiếp"],
  "result.free": ["Free Hand", "免注局", "Ván miễn cược"],
  "result.last": ["Last result", "上局结果", "Kết quả trước"],
  "result.read": [
    "Round {number}: {result}. Player {player}, Banker {banker}.",
    "第 {number} 局：{result}。闲 {player} 点，庄 {banker} 点。",
    "Ván {number}: {result}. Con {player}, Cái {banker}.",
  ],
  "result.natural": ["Natural", "例牌", "Natural"],

  "call.natural": ["Natural {total}", "例牌 {total} 点", "Natural {total}"],
  "call.player_pair": ["Player Pair", "闲对", "Đôi Con"],
  "call.banker_pair": ["Banker Pair", "庄对", "Đôi Cái"],
  "call.big": ["{bet} pays {times} to 1", "{bet} 赔 {times} 比 1", "{bet} trả {times} ăn 1"],
  "call.six": ["Banker wins on 6", "庄 6 点赢", "Cái thắng 6 điểm"],

  // hands and bets
  "hand.total": ["{hand}: {total} points", "{hand}：{total} 点", "{hand}: {total} điểm"],
  "hand.no_total": ["{hand}: no cards open", "{hand}：未开牌", "{hand}: chưa mở bài"],
  "pay.on 6 points": ["on 6 points", "6 点", "6 điểm"],
  "pay.on other points": ["on other points", "其他点数", "điểm khác"],
  "pay.two cards": ["two cards", "两张牌", "hai lá"],
  "pay.three cards": ["three cards", "三张牌", "ba lá"],
  "pay.four cards": ["four cards", "四张牌", "bốn lá"],
  "pay.five cards": ["five cards", "五张牌", "năm lá"],
  "pay.six cards": ["six cards", "六张牌", "sáu lá"],
  "pay.single": ["single", "单对", "đôi đơn"],
  "pay.double": ["double", "双对", "hai đôi"],
  "pay.twin": ["twin", "同对", "đôi giống nhau"],
  "pay.Player on 6": ["Player on 6", "闲 6 点", "Con 6 điểm"],
  "pay.Banker on 6": ["Banker on 6", "庄 6 点", "Cái 6 điểm"],

  // boxes and betting
  "box.number": ["Box {number}", "{number} 号位", "Ô {number}"],
  "box.yours": ["Your box", "您的位置", "Ô của bạn"],
  "box.free": ["free", "空位", "trống"],
  "box.taken": ["taken", "有人", "có người"],
  "box.standing": ["{count} standing", "{count} 人站立", "{count} người đứng"],
  "box.on_bet": [
    "{bet} in box {box}: {amount} on it",
    "{box} 号位 {bet}：已下 {amount}",
    "{bet} ở ô {box}: đã cược {amount}",
  ],
  "box.empty_bet": ["{bet} in box {box}: nothing on it", "{box} 号位 {bet}：无注码", "{bet} ở ô {box}: chưa cược"],
  "betting.undo": ["Undo", "撤销", "Hoàn tác"],
  "betting.clear": ["Clear", "清除", "Xóa"],
  "betting.double": ["Double", "加倍", "Gấp đôi"],
  "betting.rebet": ["Rebet", "重复下注", "Cược lại"],
  "betting.chip": ["Chip of {amount}", "{amount} 筹码", "Phỉnh {amount}"],
  "betting.stack": ["{amount} in chips", "筹码 {amount}", "{amount} phỉnh"],
  "betting.fits": ["You can bet {amount}", "可下注 {amount}", "Có thể cược {amount}"],
  "countdown.seconds": ["{seconds} seconds", "{seconds} 秒", "{seconds} giây"],
  "countdown.betting": ["{seconds} seconds to bet", "下注剩余 {seconds} 秒", "Còn {seconds} giây để cược"],
  "countdown.insurance": ["{seconds} seconds for insurance", "保险剩余 {seconds} 秒", "Còn {seconds} giây mua bảo hiểm"],
  "countdown.squeeze": ["{seconds} seconds to squeeze", "咪牌剩余 {seconds} 秒", "Còn {seconds} giây để nặn"],
  "countdown.over": ["Time is over", "时间到", "Hết giờ"],

  // cards
  "card.name": ["{rank} of {suit}", "{suit}{rank}", "{rank} {suit}"],
  "card.back": ["a card face down", "未翻开的牌", "một lá úp"],
  "card.number": ["Card {number}", "第 {number} 张", "Lá {number}"],
  "suit.s": ["Spades", "黑桃", "bích"],
  "suit.h": ["Hearts", "红心", "cơ"],
  "suit.d": ["Diamonds", "方块", "rô"],
  "suit.c": ["Clubs", "梅花", "chuồn"],
  "rank_of_card.A": ["Ace", "A", "Át"],
  "rank_of_card.J": ["Jack", "J", "Bồi"],
  "rank_of_card.Q": ["Queen", "Q", "Đầm"],
  "rank_of_card.K": ["King", "K", "Già"],

  // roads
  "road.title": ["Roads", "路单", "Bảng cầu"],
  "road.bead_plate": ["Bead Plate", "珠盘路", "Cầu hạt"],
  "road.big_road": ["Big Road", "大路", "Cầu lớn"],
  "road.big_eye_boy": ["Big Eye Boy", "大眼仔", "Cầu mắt to"],
  "road.small_road": ["Small Road", "小路", "Cầu nhỏ"],
  "road.cockroach_pig": ["Cockroach Pig", "曱甴路", "Cầu con gián"],
  "road.if_player": ["If Player", "闲问路", "Nếu Con"],
  "road.if_banker": ["If Banker", "庄问路", "Nếu Cái"],
  "road.read": [
    "{road}: {player} Player, {banker} Banker, {tie} Tie; latest first: {latest}",
    "{road}：闲 {player}，庄 {banker}，和 {tie}；最近：{latest}",
    "{road}: Con {player}, Cái {banker}, Hòa {tie}; gần nhất: {latest}",
  ],
  "road.empty": ["no results yet", "尚无结果", "chưa có kết quả"],
  "count.player": ["Player", "闲", "Con"],
  "count.banker": ["Banker", "庄", "Cái"],
  "count.tie": ["Tie", "和", "Hòa"],
  "count.player_pair": ["Player pairs", "闲对", "Đôi Con"],
  "count.banker_pair": ["Banker pairs", "庄对", "Đôi Cái"],
  "count.natural": ["Naturals", "例牌", "Natural"],
  "count.rounds": ["Rounds", "局数", "Số ván"],

  // receipts
  "receipt.title": ["Receipt, round {number}", "第 {number} 局结算单", "Biên lai, ván {number}"],
  "receipt.won": ["won", "赢", "thắng"],
  "receipt.lost": ["lost", "输", "thua"],
  "receipt.returned": ["returned", "退回", "hoàn lại"],
  "receipt.stake": ["Stake", "注码", "Tiền cược"],
  "receipt.outcome": ["Outcome", "结果", "Kết quả"],
  "receipt.amount": ["Paid or taken", "派彩/收取", "Trả / thu"],
  "receipt.commission": ["commission {amount}", "佣金 {amount}", "hoa hồng {amount}"],
  "receipt.paragraph": ["Paragraph", "条款", "Điều"],
  "receipt.net": ["Net", "净额", "Ròng"],
  "receipt.difference": ["Settled again; difference {amount}", "重新结算；差额 {amount}", "Tính lại; chênh lệch {amount}"],
  "receipt.rest": ["{amount} that no chip can show", "{amount} 无法以筹码支付", "{amount} không có phỉnh tương ứng"],
  "receipt.insurance": ["insurance", "保险", "bảo hiểm"],

  // play waits
  "waits.ruling": ["Play waits for a ruling", "等待裁定", "Chờ phán quyết"],
  "waits.options": ["Play waits for players' answers", "等待玩家答复", "Chờ người chơi trả lời"],
  "waits.shoe": ["Play waits for players' answers about the shoe", "等待玩家就牌靴答复", "Chờ trả lời về hộp bài"],

  // insurance
  "insurance.title": ["Insurance", "保险", "Bảo hiểm"],
  "insurance.offer": [
    "Insurance on {hand}, {own} against {other}, pays {odds}",
    "{hand}保险，{own} 对 {other}，赔 {odds}",
    "Bảo hiểm {hand}, {own} với {other}, trả {odds}",
  ],
  "insurance.most": ["at most {amount}", "最多 {amount}", "tối đa {amount}"],
  "insurance.take": ["Insure", "买保险", "Mua bảo hiểm"],
  "insurance.pass": ["No insurance", "不买保险", "Không mua"],

  // money
  "money.balance": ["Balance", "余额", "Số dư"],
  "money.chips": ["Chips", "筹码", "Phỉnh"],
  "money.on_layout": ["On the layout", "桌面注码", "Trên bàn"],
  "money.total": ["Total", "合计", "Tổng"],

  // ranks and roles
  "role.player": ["Player", "玩家", "Người chơi"],
  "role.dealer": ["Dealer", "荷官", "Chia bài"],
  "role.pit": ["Pit", "赌区", "Khu bàn"],
  "role.surveillance": ["Surveillance", "监控", "Giám sát"],
  "role.admin": ["Administration", "管理", "Quản trị"],

  // what may be done
  "do.open_table": ["Open the table", "开桌", "Mở bàn"],
  "do.close_table": ["Close the table", "关桌", "Đóng bàn"],
  "do.set_limits": ["Set limits", "设定限红", "Đặt giới hạn cược"],
  "do.waive_insurance": ["Insurance: none, or again", "保险：取消或恢复", "Bảo hiểm: bỏ hoặc mời lại"],
  "do.set_differential": ["Set the Differential", "设定差额上限", "Đặt mức chênh lệch"],
  "do.sign_on": ["Sign on", "上桌值班", "Vào ca"],
  "do.sign_off": ["Sign off", "下桌", "Ra ca"],
  "do.join": ["Join", "入座", "Vào bàn"],
  "do.leave": ["Leave the table", "离桌", "Rời bàn"],
  "do.buy_in": ["Buy in", "买入筹码", "Mua phỉnh"],
  "do.cash_out": ["Cash out", "兑现", "Đổi tiền"],
  "do.chips_in": ["Chips in", "筹码入桌", "Phỉnh vào"],
  "do.chips_out": ["Chips out", "筹码出桌", "Phỉnh ra"],
  "do.tip": ["Tip", "小费", "Tiền thưởng"],
  "do.request_fill": ["Request a fill or credit", "申请加码或退码", "Yêu cầu thêm/bớt phỉnh"],
  "do.sign_fill": ["Sign the fill", "签署加码", "Ký thêm phỉnh"],
  "do.cancel_fill": ["Drop the fill", "取消加码", "Hủy thêm phỉnh"],
  "do.hold_suspect": ["Hold: may be counterfeit", "扣留：疑似伪造", "Giữ lại: nghi giả"],
  "do.resolve_suspect": ["Genuine or counterfeit", "鉴定真伪", "Thật hay giả"],
  "do.new_shoe": ["New shoe", "新牌靴", "Hộp bài mới"],
  "do.pledge_seed": ["Pledge a seed", "承诺种子", "Cam kết hạt giống"],
  "do.show_seed": ["Show the seed", "公布种子", "Công bố hạt giống"],
  "do.close_seeds": ["Mix the shoe", "混合牌靴", "Trộn hộp bài"],
  "do.cut": ["Cut the cards", "切牌", "Cắt bài"],
  "do.burn": ["Burn cards", "烧牌", "Đốt bài"],
  "do.cut_card": ["Cut Card appeared", "切牌出现", "Lá cắt xuất hiện"],
  "do.end_shoe": ["End the shoe", "结束牌靴", "Kết thúc hộp bài"],
  "do.return_cards": ["Discards back into the shuffler", "废牌放回洗牌机", "Trả bài bỏ vào máy trộn"],
  "do.call": ["Place your bets", "请下注", "Mời đặt cược"],
  "do.place": ["Place chips", "下注", "Đặt cược"],
  "do.withdraw": ["Take chips back", "撤回筹码", "Rút phỉnh"],
  "do.refuse_balance": ["Nobody behind my box", "拒绝他人跟注", "Không ai cược sau ô tôi"],
  "do.close": ["No more bets", "停止下注", "Ngừng đặt cược"],
  "do.ask_squeeze": ["Ask to squeeze", "要求咪牌", "Xin nặn bài"],
  "do.ask_early_squeeze": ["Ask to see Banker's third first", "要求先看庄第三张", "Xin xem lá ba của Cái trước"],
  "do.answer_squeeze": ["Answer the squeeze", "答复咪牌", "Trả lời nặn bài"],
  "do.bar_squeeze": ["Bar from squeezing", "禁止咪牌", "Cấm nặn bài"],
  "do.deal": ["Deal", "发牌", "Chia bài"],
  "do.draw": ["Draw a card", "抽牌", "Rút bài"],
  "do.put_card": ["Put the card", "放置牌", "Đặt lá bài"],
  "do.turn": ["Turn the card", "翻牌", "Lật bài"],
  "do.offer_insurance": ["Offer insurance", "提供保险", "Mời bảo hiểm"],
  "do.insure": ["Insure", "买保险", "Mua bảo hiểm"],
  "do.pass_insurance": ["No insurance", "不买保险", "Không bảo hiểm"],
  "do.close_insurance": ["Close insurance", "停止保险", "Đóng bảo hiểm"],
  "do.announce": ["Call the result", "宣布结果", "Công bố kết quả"],
  "do.settle": ["Take and pay", "收付", "Thu và trả"],
  "do.confirm": ["Confirm the box", "确认此位", "Xác nhận ô"],
  "do.override_confirmation": ["Go on without confirmations", "略过确认", "Bỏ qua xác nhận"],
  "do.find_bet": ["Chips found", "发现筹码", "Phát hiện phỉnh"],
  "do.late_chips": ["Late chips", "逾时筹码", "Phỉnh trễ"],
  "do.walk_away": ["Player walked away", "玩家离开", "Người chơi bỏ đi"],
  "do.come_back": ["Player is back", "玩家返回", "Người chơi trở lại"],
  "do.report_cards": ["Report the cards", "报告牌组问题", "Báo cáo bộ bài"],
  "do.report": ["Report an irregularity", "报告异常", "Báo cáo sự cố"],
  "do.report_interruption": ["Report an interruption", "报告中断", "Báo cáo gián đoạn"],
  "do.report_round": ["Report a past round", "报告以往牌局", "Báo cáo ván trước"],
  "do.meant_to_insure": ["Meant to insure", "原欲买保险", "Đã định mua bảo hiểm"],
  "do.propose": ["Propose a ruling", "提议裁定", "Đề xuất phán quyết"],
  "do.approve": ["Approve", "批准", "Chấp thuận"],
  "do.decline": ["Decline", "否决", "Từ chối"],
  "do.take_option": ["Answer", "答复", "Trả lời"],
  "do.raise_dispute": ["Dispute", "提出争议", "Khiếu nại"],
  "do.note_on_dispute": ["Note on the dispute", "争议备注", "Ghi chú khiếu nại"],
  "do.decide_dispute": ["Decide the dispute", "裁决争议", "Quyết định khiếu nại"],
  "do.answer_dispute": ["Answer the decision", "答复裁决", "Trả lời quyết định"],

  // refusals of the floor; those of the table are in its catalogue
  "refusal.bad_request": ["The request could not be read", "请求无法读取", "Không đọc được yêu cầu"],
  "refusal.sign_in": ["Please sign in", "请登录", "Hãy đăng nhập"],
  "refusal.pin": ["Incorrect name or PIN", "姓名或 PIN 码不正确", "Tên hoặc mã PIN không đúng"],
  "refusal.second_factor": ["Enter the code from your authenticator", "请输入验证器上的验证码", "Hãy nhập mã của ứng dụng xác thực"],
  "refusal.locked": ["Too many failed sign-ins. Wait a while.", "登录失败次数过多，请稍候。", "Đăng nhập sai quá nhiều. Hãy chờ."],
  "refusal.csrf": ["The session's token is missing", "缺少会话令牌", "Thiếu mã phiên"],
  "refusal.origin": ["The request came from another site", "请求来自其他网站", "Yêu cầu từ trang khác"],
  "refusal.role": ["Your role may not do this", "您的角色无权操作", "Vai trò của bạn không được phép"],
  "refusal.not_found": ["Nothing there by that name", "找不到", "Không tìm thấy"],
  "refusal.method": ["Not possible at this address", "此地址不支持", "Địa chỉ không hỗ trợ"],
  "refusal.exists": ["That name is taken", "名称已被使用", "Tên đã được dùng"],
  "refusal.stopped": ["Play was stopped; nothing new starts", "已停止，不开始新局", "Đã dừng, không bắt đầu mới"],
  "refusal.own_loss": ["Your own loss limit: {amount} left today", "已达您自设的亏损限额：今日剩余 {amount}", "Hạn mức thua của bạn: hôm nay còn {amount}"],
  "refusal.own_break": ["You are taking a break from play", "您正在自我暂停期内", "Bạn đang trong kỳ tạm nghỉ chơi"],
  "refusal.too_large": ["The request is too large", "请求过大", "Yêu cầu quá lớn"],
  "refusal.too_many": ["Too many requests. Wait a moment.", "请求过多，请稍候。", "Quá nhiều yêu cầu. Hãy chờ."],
  "refusal.unavailable": ["The service does not answer just now", "服务暂时不可用", "Dịch vụ tạm thời không trả lời"],
  "refusal.failed": ["A fault of the server", "服务器故障", "Máy chủ gặp lỗi"],
  "refusal.network": ["No connection to the server", "无法连接服务器", "Không kết nối được máy chủ"],
  ...DEALER_WORDS,
  ...ODDS_WORDS,
  ...PIT_WORDS,
  ...SURVEILLANCE_WORDS,
  ...TOUR_WORDS,
} as const satisfies Record<string, Words> & Record<Needed, Words>;

export type Key = keyof typeof CATALOGUE;
