//! Scripts without capitals or without spaces: what their characters cost.
//!
//! The costs, in hundredths of a token, were fitted like those of [`super::word`]; for Chinese, Japanese and Korean
//! they hold a little more than the fit, because texts differ more from each other there.

/// A script whose words have no borders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cjk {
    Han,
    Hiragana,
    Katakana,
    Hangul,
}

impl Cjk {
    pub(super) fn of(c: char) -> Option<Cjk> {
        match c {
            '\u{3041}'..='\u{309F}' => Some(Cjk::Hiragana),
            '\u{30A1}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' => Some(Cjk::Katakana),
            '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{AC00}'..='\u{D7FB}' => Some(Cjk::Hangul),
            '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Some(Cjk::Han),
            '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => Some(Cjk::Han),
            _ => None,
        }
    }

    /// What the first character after another script costs on top.
    pub(super) fn start(self) -> u64 {
        match self {
            Cjk::Han => 25,
            Cjk::Hiragana => 29,
            Cjk::Katakana => 36,
            Cjk::Hangul => 48,
        }
    }

    /// What one of its characters costs.
    pub(super) fn cost(self, c: char) -> u64 {
        match self {
            Cjk::Han if is_in(&JOINING_BITS, c) => 71,
            Cjk::Han if is_in(&WHOLE_BITS, c) => 131,
            Cjk::Han if c < '\u{20000}' => 248,
            Cjk::Han => 350,
            Cjk::Hiragana => 54,
            Cjk::Katakana => 64,
            Cjk::Hangul => 54,
        }
    }
}

/// What a letter of any other script costs; 70 more for each word.
pub(super) fn letter(c: char) -> u64 {
    match c {
        '\u{0400}'..='\u{052F}' => 17,
        '\u{0370}'..='\u{0E7F}' | '\u{10A0}'..='\u{10FF}' => 27,
        _ => 280,
    }
}

/// What a sign outside ASCII costs when it stands alone.
pub(super) fn sign(c: char) -> u64 {
    match c {
        '\u{80}'..='\u{FF}' | '\u{2013}'..='\u{2026}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}' => 100,
        '\u{100}'..='\u{FFFF}' => 140,
        _ => 225,
    }
}

/// Han characters as one bit each, from [`FIRST`] on.
type Bits = [u64; (0x9FFF - FIRST as usize) / 64 + 1];

const FIRST: u32 = 0x4E00;
const JOINING_BITS: Bits = bits(JOINING);
const WHOLE_BITS: Bits = bits(WHOLE);

fn is_in(bits: &Bits, c: char) -> bool {
    let at = u32::from(c).wrapping_sub(FIRST) as usize;
    bits.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
}

/// The bits of a list, made at compile time; every character of it has three bytes in UTF-8.
const fn bits(list: &str) -> Bits {
    let (text, mut bits, mut at) = (list.as_bytes(), [0; size_of::<Bits>() / 8], 0);
    while at < text.len() {
        let high = (text[at] as usize & 0xF) << 12;
        let c = high | (text[at + 1] as usize & 0x3F) << 6 | (text[at + 2] as usize & 0x3F);
        let bit = c - FIRST as usize;
        bits[bit / 64] |= 1 << (bit % 64);
        at += 3;
    }
    bits
}

/// Han characters that make one token with some neighbour in the vocabulary of o200k.
#[rustfmt::skip]
const JOINING: &str = "\
    一丁七万丈三上下不与专世业东丝两严个中丰串为主举久么义之乎乐九也习乡书买乱乳亂了予争事二于云互五井亚些亞亡交产享京亮人亿什仅今介仕他付仙代令以们件价任份企伊休众优伙会传伦伯伴似但位低住体何余作你佳使來\
    例供依価侣侵便促俄保信修俺倍們候値倫值假做停健偷備催像價億優儿允元充先光克免兑党入內全八公六共关兴其具典养兼内円册再写军农冠决况冷冻准凌减几凤凰出击函分划列则创初删判利别到制刷券刺前剧副割力办功加务动\
    助努励劳势勒動務募勤包化北区医匿十千升午半华协卓单南博卡卫印危即厂厅历压厕厘原厨去县参又及友双反収发取受变口古句另只叫召可台史右号司吃各合吉同名后向吗吟否吧吨含听启吹告员周味呻命和咨品哈响員哥哪售唯商\
    問啦啪善喜営喷噜器四回因团园困围固国图圈國圖土在地圳场圾址均坑块坚坛坡垃型城域培基堂報場填境增壇士声売处备変复外多夜够大天太夫央失头奇奋奔奖套女奶奷奸好如妇妈妹妻始姐姑姓委威娘娛娱婆婦婷媒媽嫌嫩子字存\
    季学孩學宁它宅安完官定宝实実审客宣室家容宾宿密富察寸对寻导対専射将尊尋導小少尔尚尤就尺尼局屁层居展属山岁岗岛川州巡工左巧巨差己已巴币市布师希帐帖带師席帮常幕干平年幸幻广広庆序库应底店府度庭康延建开异弊\
    式引強强当录形彩影彻径待很律後徒得循微徴德徽心必志忘応快念态怎思性总恐恢息悠患您情惑惠想意愛感態慧慰懂戏成我或战截戲户房所手才扑扒打执扩扫扶批找承技投护报担拉拍拖招拟拥择括拿持挂指按挑挡挣挥捕换据捷授\
    排探接控推措掲描提插換揭搜摄摘摩摸播操支收改攻放政故效救教数整文斗料斤断斯新方施旅族旗无日早时昌明易星映春昨是昵显時晒晚晨普景智暂曜曝曲更曾最會月有朋服朗望期未本术机杀杂权材村束条来杭杯東板极构析林果\
    染查柴标栏树校株样核根格案梦械检棋森植検業楽概榜様樂模機次欢欧款歌歓止正此步武歩死殊残段每毒比毕毛毫民气気氣水永求汉江污汽沁沒沙没河油治況法波注洞津洲活派流浆测济浏浙浩浪海消涉润涨淘深添清渠温港游湖湾\
    源溪滚满滤漂漏演漫潮澡澳激炸点烈热無然照熟熱爆爰爱爸爽片版牌牛牢物牲特犯状狂狐狗狠独狸狼猛猜献玄率王玖玩环现現球理琪甚生產用由申电男画界留略番畫疆疗疫疯疾病発登發白百的皇盈益监盒盖盘盟目直相省看県真着\
    督知短码研破础确碰確示礼社神祥票禁福离秀私种科秒秘租积称移程税種稱稳稿究空突窍窗窥立站竞章童端符第等筑答策签简算管箱篇篮籍米类粉精系約納級素索累細紹終経結給絲網線編縮红约级纪纽线练组细织终绍经绑结给络\
    统继绩续维综绿缓编缩缴网罗罚罪置署美群翼耀老考者而聊职联聘聞聯肖股育胆背能脑脸腾自至致舒舗航般舰艇色艺节花苏英苹范草荐荣获菜菠菲营萬落葡董蒙蕉薦藏藝虎虑虽蛋蛛蜘融血行術衣表袜被装裸襪西要覆視覧觀见观规\
    视览觉角解言計訊記設証評話詳誉認誘說説談論警護讀计订认讨让训议讯记讲许论设访诀证评识诈诉词试诚话询该详语误说请读课谁调谓谢谱豆象豹財販費資質購负贡财责败账质贫购贯贴贵贷贸费资赌赔赚赛赞赢走起超越趋趣足\
    跑距跨路践身転較載车转软轻载较辅辆辑输込辽达迅过迎运近返还这进违连述追退送选透途通速造連週遂遇道遗遮避邀那邦邮部都配酒醒采释里重野量金銀録鐘针钟钮钱铁银链销锋错键长門開間関閱關门闭问间闻阅队阪防阳阶附\
    际陆降限陕院除险随隐障难雄雅集雪零雷電需露霸青非靠面革韩音頁項順頻題類页顶项须预领频题颜额風风飞食餐饰馈首香験马驰驶驾验骗骤體高鱼鲁鹅鹰麻黃黄黎黑默龄龙";

/// Han characters that are one token of that vocabulary, but never with a neighbour.
#[rustfmt::skip]
const WHOLE: &str = "\
    且丘並丨临丶丸丹丽乃乌乔乗乘乙乾亏亦亩亭亲仁仍从仓仔仪仲伍伏伝伟伤估伸佐佛佣佩侠侧侯係俊俗俱個倒借倡债倾偏側偶偿傅储傳傷働僕兄兆児兒兔兩兰兵兽冈冊冒冬冰冲净凉凝凡処凭凯凸刀切刊刑刘刚別刻剂則削剑剤剩剪\
    創劇劲効勇勝勢勿匙匹區卒協卖単占卢卧却卷卸厉厚厦參叉叔叶吊吐吕君吞吴吸吻吾呀呈呢呵呼咋咖咪哦哭哲唐唱啊啥喊喘喝單嗎嗯嘉嘎嘛嘴嘿団囲図圆園團圣坂坊坏坐坝坦坪埃埔堡堵塑塔塘塞墓増墙墨壁壮夏夕夢夹夺奈奉奏契\
    奥奴她妓妖妙妞妮姆姚姜姨姿娃娇娜婚媳嫁嫂嬉孔孕孙孟孤宇守宋宏宗宜宠宫宮害宴宽寄寒寓寝實寨寫寶寺寿封將專對尖尝尸尽尾尿届屋屏履屯岡岩岭岳岸峡峰島崎巻帅帝帯帰帳帶帽幅并幼幽庄床废座庫廉廣廷弃弄弗弘弟张弱張\
    弹归彦彰役彼往征徐從御復徳忆忍忙忠忧忽怀怒怕怖怡急怪恋恒恩恶悉悟悦悪悲惊惜惨惯愿慈慎慢應戀戒戦戰戴戶戸戻扎払托扣扬扰扱把抓抗折抜択抢披抱抵押抽拆拒拓拔拘拜拨拳拼拾振挺损掃掉掌掛採揉握援搏搞搬搭携摆摇撃\
    撑撒撞撤撮撸擊據擦攝敌敏敗敢散敦敬敵數於旁旋既旦旧旨旬旭旺昂昆昔昭昼晋晓晰晴晶暇暑暖暗暨暮暴曰書曹曼替朝木末札朱杆杉李杏杜杨杰松枚枝枪架柄柏某柔柜柱柳査栋栗桂桃框桌桑档桥桶梁梅條梨梯棒棚椒楚極楼構槽樓\
    標樣横橋橹橾權欠欣欲欺歉歡歲歳歴歷殖殺毁毅母毎氏氧汁汇汗池汤決沃沈沉沖沟沢沪沿泄泉泊泛泡泥泰泳泽洁洋洗洛洪浅浓浜浦浮浴涓涙涛涩涯液涵淡淫混済渐減渡測湘湿満準滋滑滨滴滿漢潔潘潜潭灣火灭灯灰灵灾炉炎炒炮為\
    炼烟烦烧焦焼煌煙煤熊燃燕營爵父爷牙牡牧犬猎猪猫猴獸玉玛玲玻珍珠班琳琴瑞璃環瓜瓣瓦瓶甘甜産田甲甸町畅異當疑疲疼症痛療癌皆皮盆盐盗盛監盤盾眉眠眼睛睡瞬矩石矿砂砖硕硬碍碎碑碼磁磨祖祝祭禧禽禾秋秦稍穆積穴穿窝\
    竟競竹笑笔筆筋筛筹箭節築簡粒粗粤粮糕糖紀紅純紙紧紫組絡統絶經続維総緒締縄總績繁續纠纬纯纲纳纵纷纸纹绕绘绝绪缘缺罩羅羊羞義羽翁翌習翔翠翻耐耗耳聚聪聲職肃肉肌肤肥肩肯肺胃胎胖胜胞胡胶胸脂脚脱腐腕腰腳腹腿膜\
    膽臀臣臭臺與興舍舔舞舟船良艳艷艾芝芬芯芳芸芽苍苑苗若苦茶茸荒荡药荷莉莎莓莞莫莱莲菌華萄萌萝萨葉著葛蒂蒲蓝蔡蕩薄薪薬藤虐處虚號虫虹蛇蜂蜜蝶街衛衡补袋袖袭裁裂裏裕裙補裝裤製見規覚親観覽触訂討訪許訳診詞詢試\
    誌語読誰課調請講謝證識議變讓诊译诗诱诸诺谈谋谜谨谷豊豪貌負貨責買貸貼賀賞贝贤货赁赋赏赖赠赤赫赴赵赶跃跌跟跳踏踩踪躁車軍軽輪輯輸轉轨轩轮轴辉辖辛辞辣辦辨辰辱農边辺迁迈远迟迪迫迷迹适逃逆逊逐递這進逸逻逼遊\
    運遍過達違遠遣遥適遭遵選還邑邪邻郎郑郭郵酷酸醉醫鉄鉴錄錯鍵鏈鑫钢钥钻铃铜铭铺锁锅锐锡锦镇镜長閉閲闪闲阁阴阵阻阿陈陌陪陰陵陶陷険陽隆隊階隔際雀雑雕雙雞離難雨震霍霞靖静鞋韓響頂頃須預領頭頼額顔願顺顾顿颖颗\
    飛飯飲養館饭饮馆馨馬駅驗驱驻骑骚骨骰鬼魂魅魏魔魚鲜鲸鳥鸟鸡鸣鸭鸿鹏鹿麗麟麦麼黒點鼎鼓鼠鼻齐齢龍";
