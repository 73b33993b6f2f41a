/** Words of the tours: what is there, in a sentence or two. */

import type { Words } from "../lib/catalogue";

export const TOUR_WORDS = {
  "tour.title": ["Tour of this screen", "界面导览", "Giới thiệu màn hình"],
  "tour.offer": ["New here? A short tour shows what is where.", "第一次使用？简短导览会介绍各部分。", "Lần đầu đến đây? Phần giới thiệu ngắn chỉ cho bạn từng phần."],
  "tour.take": ["Show me", "开始导览", "Xem"],
  "tour.no": ["No, thanks", "不用了", "Không, cảm ơn"],
  "tour.next": ["Next", "下一步", "Tiếp"],
  "tour.back": ["Back", "上一步", "Trước"],
  "tour.skip": ["Skip the tour", "跳过导览", "Bỏ qua"],
  "tour.done": ["Done", "完成", "Xong"],
  "tour.again": [
    "That was all. Here you can start the tour again whenever you like.",
    "导览结束。可随时在此重新开始。",
    "Vậy là hết. Bạn có thể xem lại phần giới thiệu ở đây bất cứ lúc nào.",
  ],
  "tour.lobby.tables": [
    "Each card is a table: its game, limits, free seats and last results. Join it, or just watch.",
    "每张卡片是一张牌桌：游戏、限红、空位和最近结果。可入座，也可只观看。",
    "Mỗi thẻ là một bàn: trò chơi, giới hạn, chỗ trống và kết quả gần nhất. Hãy vào bàn, hoặc chỉ xem.",
  ],
  "tour.lobby.filter": [
    "Look only for the game you like, or for tables that take what you bet.",
    "可按游戏或下注额筛选牌桌。",
    "Chỉ tìm trò chơi bạn thích, hoặc bàn nhận mức cược của bạn.",
  ],
  "tour.lobby.odds": [
    "What every bet of every game really pays, and what the House keeps of it, worked out exactly.",
    "各游戏每种投注的精确概率与庄家优势。",
    "Xác suất chính xác của mọi cửa cược và phần nhà cái giữ lại.",
  ],
  "tour.player.phase": [
    "This says what is going on. While bets are open, the time that is left runs here.",
    "此处显示当前阶段；下注期间显示剩余时间。",
    "Ở đây cho biết bàn đang làm gì. Khi nhận cược, thời gian còn lại chạy ở đây.",
  ],
  "tour.player.seat": [
    "Take a free box, or stand behind somebody's. Then buy chips from your account, and you are in.",
    "选择空位入座，或站在他人身后；再从账户买入筹码即可开始。",
    "Chọn ô trống, hoặc đứng sau ô của người khác. Sau đó mua phỉnh từ tài khoản là chơi được.",
  ],
  "tour.player.bets": [
    "A click puts the chosen chip on a bet. What cannot be bet says why, and how much would fit.",
    "点击即可将所选筹码放到投注格。不能下注时会说明原因及可下金额。",
    "Bấm để đặt phỉnh đã chọn vào cửa. Nếu không được, trang nói lý do và mức có thể cược.",
  ],
  "tour.player.cloth": [
    "The cloth as it lies on the table, with everybody's chips. You can bet here as well.",
    "与实桌相同的台布及所有人的筹码；也可在此下注。",
    "Mặt bàn như bàn thật, với phỉnh của mọi người. Bạn cũng có thể đặt cược ở đây.",
  ],
  "tour.player.chips": [
    "Your chips: pick one, or drag it. Undo, double and rebet are here; the purse moves money to and from your account.",
    "您的筹码：点选或拖动。此处可撤销、加倍、重复下注；钱包可与账户互转。",
    "Phỉnh của bạn: chọn hoặc kéo. Hoàn tác, gấp đôi, cược lại ở đây; ví chuyển tiền với tài khoản.",
  ],
  "tour.player.tabs": [
    "Roads, the receipt with the paragraph behind each line, earlier rounds to replay, and the limits.",
    "路单、附条款的结算单、可重播的牌局以及限红。",
    "Bảng cầu, biên lai kèm điều luật từng dòng, các ván trước để xem lại, và giới hạn.",
  ],
  "tour.dealer.next": [
    "What the rules want next. The space bar does it; a card is keyed as 9 H, clicked or scanned.",
    "规则要求的下一步。按空格键执行；牌可键入（如 9 H）、点选或扫描。",
    "Bước tiếp theo theo luật. Phím cách để làm; lá bài gõ như 9 H, bấm hoặc quét.",
  ],
  "tour.dealer.felt": [
    "What lies on the table, box by box. When a round is paid, each take and pay stands here as chips to cut.",
    "逐位显示桌面情况；派彩时显示每位应收付的筹码。",
    "Những gì trên bàn, từng ô. Khi trả thưởng, mỗi khoản thu và trả hiện thành phỉnh.",
  ],
  "tour.dealer.wrong": [
    "Something went wrong? Say whether on the felt or in keying; the page shows what the book says and who decides.",
    "出现异常？说明是桌面还是输入错误；页面会显示规则及由谁裁定。",
    "Có sự cố? Cho biết trên bàn hay do nhập sai; trang sẽ hiện quy tắc và ai quyết định.",
  ],
  "tour.dealer.call": ["One press calls a supervisor to this table.", "按一下即可呼叫主管。", "Một lần bấm là gọi giám sát đến bàn."],
  "tour.dealer.keys": ["Every key of the console. The mouse is never needed.", "操作台的全部按键；无需鼠标。", "Mọi phím của bàn điều khiển. Không cần chuột."],
  "tour.pit.sums": [
    "The floor in one line: what is staked, what could be lost now, and the win against expectation.",
    "全场概览：注码、当前风险，以及实际赢额与预期对比。",
    "Toàn sàn trong một dòng: tiền cược, rủi ro hiện tại, và kết quả so với kỳ vọng.",
  ],
  "tour.pit.tiles": [
    "A tile for each table. Open it for everything about the table, and for all that you may do there.",
    "每张牌桌一格。打开可查看全部信息并执行您有权的操作。",
    "Mỗi bàn một ô. Mở ra để xem mọi thứ về bàn và mọi việc bạn được làm.",
  ],
  "tour.pit.approvals": ["Rulings and fills that wait for a second person. One click each.", "等待第二人批准的裁定与加码；一键处理。", "Phán quyết và phiếu phỉnh chờ người thứ hai. Mỗi việc một lần bấm."],
  "tour.pit.alerts": ["What needs somebody's eye. An alert stays until you clear it.", "需要关注的事项；提醒会保留至清除。", "Việc cần chú ý. Cảnh báo ở lại đến khi bạn xóa."],
  "tour.pit.parts": ["Open tables, people and ranks, stops and reports are here.", "开桌、人员与职级、停止及报告在此。", "Mở bàn, nhân sự và cấp bậc, lệnh dừng và báo cáo ở đây."],
  "tour.surveillance.table": ["Choose the table to look at.", "选择要查看的牌桌。", "Chọn bàn cần xem."],
  "tour.surveillance.rounds": ["Any round of any shoe, replayed step by step as it was recorded.", "按记录逐步重播任一靴任一局。", "Mọi ván của mọi hộp bài, phát lại từng bước như đã ghi."],
  "tour.surveillance.log": ["Every event with who did it and when; search by any word.", "所有事件及操作人、时间；可按任意词搜索。", "Mọi sự kiện, ai làm và lúc nào; tìm theo từ bất kỳ."],
  "tour.surveillance.flags": ["Late bets, voids, corrections, and play that is outside what chance explains.", "逾时下注、作废、更正，以及超出随机范围的情况。", "Cược trễ, ván hủy, sửa đổi, và kết quả ngoài mức ngẫu nhiên."],
  "tour.surveillance.chain": ["Whether the record is whole: verify it here, or take it away to verify elsewhere.", "在此验证记录是否完整，或导出后另行验证。", "Bản ghi có toàn vẹn không: kiểm tra ở đây, hoặc tải về để kiểm tra nơi khác."],
} as const satisfies Record<string, Words>;
